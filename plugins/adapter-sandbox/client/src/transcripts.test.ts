// Messages stand once and where they came; histories and what is on its way are one list.
import { expect } from 'chai'
import { brief, keyOf, readSegments, withHistory, withLine, type Line } from './model.js'

const line = (messageId: string, more: Partial<Line> = {}): Line => ({
  messageId,
  channel: { type: 'private', id: 'alice' },
  sender: { id: 'alice' },
  content: messageId,
  text: messageId,
  direction: 'in',
  timestamp: 1,
  ...more,
})
const ids = (lines: readonly Line[]): string[] =>
  lines.map(({ messageId, state }) => (state ? `${messageId} ${state}` : messageId))

describe('a transcript', () => {
  it('puts a message that is known in its place', () => {
    const lines = [line('a', { state: 'sending' }), line('b')]
    expect(ids(withLine(lines, line('a')))).to.deep.equal(['a', 'b'])
    expect(ids(withLine(lines, line('c')))).to.deep.equal(['a sending', 'b', 'c'])
  })

  it('keeps what the host does not know, and why something failed', () => {
    const lines = [line('old'), line('failed', { state: 'failed', error: 'no' }), line('going', { state: 'sending' })]
    expect(ids(withHistory([line('old'), line('failed')], lines))).to.deep.equal([
      'old',
      'failed failed',
      'going sending',
    ])
  })

  it('forgets the oldest of very many', () => {
    const many = Array.from({ length: 600 }, (_, index) => line(String(index)))
    expect(withHistory(many, [])).to.have.length(500)
    expect(withHistory(many, [])[0]?.messageId).to.equal('100')
  })

  it('tells channels of two guilds apart', () => {
    const channel = (id: string) => ({ type: 'channel', id: 'general', parent: { type: 'guild', id } }) as const
    expect(keyOf(channel('town'))).not.to.equal(keyOf(channel('village')))
  })

  it('cuts long texts to one line', () => {
    expect(brief('a\n b')).to.equal('a b')
    expect(brief('x'.repeat(100), 10)).to.equal(`${'x'.repeat(9)}…`)
  })
})

describe('typed segments', () => {
  it('are read', () => {
    expect(readSegments('[{"type":"at","data":{"id":"bob"}}]')).to.deep.equal({
      segments: [{ type: 'at', data: { id: 'bob' } }],
    })
  })

  it('are refused by what is wrong with them', () => {
    expect(readSegments('[')).to.have.nested.property('mistake.kind', 'json')
    for (const text of ['{}', '[]', 'null', '"hi"'])
      expect(readSegments(text), text).to.deep.equal({ mistake: { kind: 'list' } })
    for (const part of [
      'null',
      '{"type":"text"}',
      '{"type":"","data":{}}',
      '{"type":1,"data":{}}',
      '{"type":"text","data":[]}',
    ]) {
      expect(readSegments(`[{"type":"text","data":{}},${part}]`), part).to.deep.equal({
        mistake: { kind: 'segment', index: 1 },
      })
    }
  })
})
