import { expect } from 'chai'
import fc from 'fast-check'
import { linesOf, Mentions, stripFormatting } from './text.js'

const squeezed = (text: string): string => text.replace(/\s|\0/gu, '')

describe('IRC text', () => {
  it('is split into lines of any length, none of them empty, without losing a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 4, max: 200 }), (text, limit) => {
        const lines = linesOf(text, limit)
        for (const line of lines) {
          expect(Buffer.byteLength(line)).to.be.at.most(limit)
          expect(line).to.not.match(/[\r\n\0]/)
          expect(line.trim()).to.not.equal('')
          // A broken character reads as this one.
          expect(line.includes('\ufffd')).to.equal(line !== '' && text.includes('\ufffd') && line.includes('\ufffd'))
        }
        expect(squeezed(lines.join(''))).to.equal(squeezed(text))
      }),
    )
  })

  it('is split between words, or between characters of a long word', () => {
    expect(linesOf('one two three', 9)).to.deep.equal(['one two', 'three'])
    expect(linesOf('abcdefgh', 3)).to.deep.equal(['abc', 'def', 'gh'])
    expect(linesOf('👨‍👩‍👧👨‍👩‍👧', 30)).to.deep.equal(['👨‍👩‍👧', '👨‍👩‍👧'])
    expect(linesOf('a\n\nb', 10)).to.deep.equal(['a', 'b'])
  })

  it('is split in time proportional to its length', () => {
    expect(linesOf('word '.repeat(20_000), 400).length).to.be.above(200)
    expect(linesOf(`a${'\u0301'.repeat(20_000)}`, 400).length).to.be.above(90)
  })

  it('loses only its formatting', () => {
    expect(stripFormatting('\x0312,4a\x03 \x035b \x03,5c \x04ff0000d \x02\x1d\x1f\x16\x0f1,2\t')).to.equal(
      'a b ,5c d 1,2\t',
    )
  })

  it('mentions a bot whose nick has a hyphen', () => {
    const mentions = new Mentions('my-bot')
    expect(mentions.read('my-bot: hi').mentioned).to.equal(true)
    expect(mentions.read('my_bot: hi').mentioned).to.equal(false)
  })

  it('mentions the bot by its name as a word, with any characters', () => {
    const mentions = new Mentions('we[i]rd|^')
    expect(
      ['we[i]rd|^: hi', 'hi we[i]rd|^!', 'WE[I]RD|^ hi'].map((text) => mentions.read(text).mentioned),
    ).to.deep.equal([true, true, true])
    expect(
      ['weird', 'we[i]rd|^x', 'xwe[i]rd|^', 'we[i]rd|^_: hi'].map((text) => mentions.read(text).mentioned),
    ).to.deep.equal([false, false, false, false])
  })
})
