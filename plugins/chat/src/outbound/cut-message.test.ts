import { expect } from 'chai'
import fc from 'fast-check'
import type { Segment } from '@mynah/contract/types'
import { Card, Image, Text } from '../api/segments.js'
import { cutMessage } from './cut-message.js'

const codePoints = (text: string): number => Array.from(text).length
const wordsOf = (part: readonly Segment[]): string => part.map(({ data }) => String(data.text ?? '')).join('')
const cut = (text: string, limit: number): string[] => cutMessage([Text(text)], { text: limit }).map(wordsOf)

describe('cutMessage', () => {
  it('leaves a message alone that is within the limits', () => {
    const segments = [Text('x'.repeat(10)), Image('https://example.org/a.png')]
    expect(cutMessage(segments, { text: 10, media: 1 })[0]).to.equal(segments)
    expect(cutMessage(segments, {})[0]).to.equal(segments)
  })

  it('counts code points, not units', () => {
    expect(cut('🐦'.repeat(10), 10)).to.deep.equal(['🐦'.repeat(10)])
    expect(cut('🐦'.repeat(11), 10)).to.deep.equal(['🐦'.repeat(10), '🐦'])
  })

  it('cuts after a paragraph, else a line, else a word', () => {
    expect(cut('one two\n\nthree\nfour', 14)).to.deep.equal(['one two\n\n', 'three\nfour'])
    expect(cut('one two three\nfour', 15)).to.deep.equal(['one two three\n', 'four'])
    expect(cut('one two three four', 15)).to.deep.equal(['one two three ', 'four'])
    expect(cut('x'.repeat(25), 10)).to.deep.equal(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
  })

  it('never cuts within a grapheme', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(cut(family.repeat(5), 15)).to.deep.equal([family.repeat(2), family.repeat(2), family])
    expect(cut('e\u0301'.repeat(6), 5)).to.deep.equal(['e\u0301'.repeat(2), 'e\u0301'.repeat(2), 'e\u0301'.repeat(2)])
  })

  it('cuts within a grapheme that alone exceeds the limit, and never within a surrogate pair', () => {
    const pieces = cut(`e${'\u0301'.repeat(200)}`, 50)
    expect(pieces.join('')).to.have.length(201)
    for (const piece of pieces) expect(codePoints(piece)).to.be.at.most(50)
  })

  it('ends a fenced block that it cuts, and begins it again in the next part', () => {
    const code = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')
    const pieces = cut(`before\n\`\`\`ts\n${code}\n\`\`\`\nafter`, 300)
    expect(pieces.length).to.be.above(1)
    for (const piece of pieces) {
      expect(codePoints(piece)).to.be.at.most(300)
      expect((piece.match(/^```/gm) ?? []).length % 2, piece).to.equal(0)
    }
    expect(pieces[1]).to.match(/^```ts\nline \d+\n/)
    const lines = pieces.flatMap((piece) => piece.split('\n')).filter((line) => line.startsWith('line '))
    expect(lines).to.deep.equal(code.split('\n'))
  })

  it('keeps the entities of a text with the words that they are for', () => {
    const segment: Segment = {
      type: 'text',
      data: { text: 'aaaa bbbb cccc', entities: [{ type: 'bold', offset: 2, length: 9 }] },
    }
    expect(cutMessage([segment], { text: 10 }).map(([part]) => part?.data)).to.deep.equal([
      { text: 'aaaa bbbb ', entities: [{ type: 'bold', offset: 2, length: 8 }] },
      { text: 'cccc', entities: [{ type: 'bold', offset: 0, length: 1 }] },
    ])
  })

  it('begins a new part for media beyond the limit, and for what does not fit with other words', () => {
    const image = Image('https://example.org/a.png')
    const card = Card({ title: 'a title' })
    expect(cutMessage([image, image, Text('x'), image], { media: 2 })).to.deep.equal([
      [image, image, Text('x')],
      [image],
    ])
    expect(cutMessage([Text('12345678'), card], { text: 10 })).to.deep.equal([[Text('12345678')], [card]])
  })

  it('loses no character and exceeds no limit, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '🐦', 'é', '👍🏽', '漢', '~'), maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit) => {
          const pieces = cut(text, limit)
          for (const piece of pieces) {
            expect(codePoints(piece)).to.be.at.most(limit)
            expect(() => encodeURIComponent(piece)).to.not.throw()
          }
          expect(pieces.join('').replace(/\s/g, '')).to.equal(text.replace(/\s/g, ''))
        },
      ),
    )
  })

  it('ends with any fences', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('```', '````', '~~~', '```js', 'word', '', '  ```', 'x'.repeat(90)), {
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 400 }),
        (lines, limit) => {
          for (const piece of cut(lines.join('\n'), limit)) expect(codePoints(piece)).to.be.at.most(limit)
        },
      ),
    )
  })
})
