import { expect } from 'chai'
import fc from 'fast-check'
import { SseParser, type SseEvent } from './sse-parser.js'

const parse = (pieces: Iterable<string>): SseEvent[] => {
  const events: SseEvent[] = []
  const parser = new SseParser((event) => events.push(event))
  for (const piece of pieces) parser.push(piece)
  return events
}

describe('SseParser', () => {
  it('reads ids, data, several data lines, comments and unknown fields', () => {
    const events = parse([
      ': beat\n\nid: e.1\ndata: a\n\ndata:b\ndata: c\ndata\n\nevent: x\nretry: 5\n\nid: e.2\ndata:  two\n\n',
    ])
    expect(events).to.deep.equal([
      { id: 'e.1', data: 'a' },
      { id: undefined, data: 'b\nc\n' },
      { id: 'e.2', data: ' two' },
    ])
  })

  it('accepts every kind of line end', () => {
    const expected = [
      { id: '1', data: 'a\nb' },
      { id: undefined, data: 'c' },
    ]
    for (const end of ['\n', '\r\n', '\r'])
      expect(
        parse([['id: 1', 'data: a', 'data: b', '', 'data: c', '', ': end', ''].join(end)]),
        JSON.stringify(end),
      ).to.deep.equal(expected)
  })

  it('drops an unfinished event', () => {
    expect(parse(['data: half\n'])).to.deep.equal([])
  })

  it('ignores an id with a null character', () => {
    expect(parse(['id: a\0b\ndata: x\n\n'])).to.deep.equal([{ id: undefined, data: 'x' }])
  })

  it('throws at an event beyond the size limit', () => {
    const parser = new SseParser(() => undefined)
    const piece = 'x'.repeat(1 << 20)
    expect(() => {
      for (let i = 0; i < 10; i++) parser.push(piece)
    }).to.throw(RangeError, 'longer than')
    const lines = new SseParser(() => undefined)
    expect(() => {
      for (let i = 0; i < 10; i++) lines.push(`data: ${piece}\n`)
    }).to.throw(RangeError, 'longer than')
  })

  it('returns the same events for any split of the text', () => {
    const line = fc.oneof(
      fc.constantFrom('', ': beat', 'data', 'data:', 'id: e.7', 'data: {"a":1}', 'retry: 1'),
      fc.string().map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))),
        fc.array(fc.nat(200)),
        (lines, cuts) => {
          const whole = `${lines.map(([text, end]) => text + end).join('')}: end\n`
          const at = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b)
          const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
          expect(parse(pieces)).to.deep.equal(parse([whole]))
          expect(parse(whole)).to.deep.equal(parse([whole]))
        },
      ),
    )
  })
})
