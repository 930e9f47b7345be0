// The two forms of a line.
import { expect } from 'chai'
import { logWriter, type LogTarget } from './log-format.js'
import type { LogRecord } from '@mynah/kernel'

function lines(records: readonly Partial<LogRecord>[], target: Partial<LogTarget> = {}): string[] {
  const written: string[] = []
  const write = logWriter({
    write: (line) => written.push(line),
    pretty: false,
    colour: false,
    level: 'debug',
    ...target,
  })
  for (const record of records) write({ time: 0, level: 'info', name: 'p', message: 'm', ...record })
  return written
}

describe('logWriter', () => {
  it('writes JSON unless it writes to a terminal', () => {
    expect(JSON.parse(lines([{ fields: { a: 1 } }])[0] as string)).to.deep.equal({
      time: '1970-01-01T00:00:00.000Z',
      level: 'info',
      name: 'p',
      message: 'm',
      fields: { a: 1 },
    })
  })

  it('handles fields that JSON cannot represent', () => {
    const circular: Record<string, unknown> = { n: 1n, error: new Error('e'), f: () => 1 }
    circular['self'] = circular
    const shared = { x: 1 }
    const { fields } = JSON.parse(lines([{ fields: { circular, one: shared, two: shared } }])[0] as string) as {
      fields: Record<string, Record<string, unknown>>
    }
    expect(fields['circular']).to.deep.include({ n: '1', self: '[circular]' })
    expect(fields['circular']?.['error']).to.include({ message: 'e' })
    expect(fields['two']).to.deep.equal({ x: 1 })
    expect(lines([{ fields: { circular } }], { pretty: true })[0]).to.contain('[circular]')
  })

  it('omits lines below the lowest level', () => {
    expect(
      lines([{ level: 'debug' }, { level: 'info' }, { level: 'warn' }, { level: 'error' }], { level: 'warn' }),
    ).to.have.length(2)
  })

  it('writes short lines on a terminal, with optional colour', () => {
    const [plain] = lines([{ level: 'warn', fields: { code: 'x', n: 2 } }], { pretty: true })
    expect(plain).to.match(/^\d\d:\d\d:\d\d W p m code=x n=2\n$/)
    const [coloured] = lines([{ level: 'warn' }], { pretty: true, colour: true })
    expect(coloured).to.contain('\u001b[33mW\u001b[0m')
  })

  it('writes one escaped line', () => {
    const hostile = 'a\nb\u007f\u009b31m\u2028\u202ec'
    for (const pretty of [true, false]) {
      const [line] = lines([{ name: hostile, message: hostile, fields: { [hostile]: hostile } }], { pretty }) as [
        string,
      ]
      expect(line.slice(0, -1)).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/)
      expect(line.endsWith('\n')).to.equal(true)
      if (!pretty) expect(JSON.parse(line)).to.include({ name: hostile, message: hostile })
    }
  })

  it('escapes control sequences', () => {
    const [line] = lines([{ message: 'a\u001b[2Jb\rc', fields: { x: '\u0007' } }], { pretty: true })
    expect((line as string).slice(0, -1)).not.to.match(/[\u0000-\u001f\u007f]/)
    expect(line).to.contain('\\x1b[2Jb\\x0dc')
  })
})
