import { expect } from 'chai'
import { splitMarkdown } from './split-markdown.js'

describe('splitMarkdown', () => {
  it('leaves a short text whole', () => {
    expect(splitMarkdown('short', 10)).to.deep.equal(['short', ''])
  })

  it('splits at a line break in the second half, else within words', () => {
    expect(splitMarkdown('one two\nthree four', 12)).to.deep.equal(['one two', 'three four'])
    expect(splitMarkdown('abcdefghij', 4)).to.deep.equal(['abcd', 'efghij'])
    expect(splitMarkdown('abc😀d', 4)).to.deep.equal(['abc', '😀d'])
  })

  it('ends a fenced block at the cut and goes on with it', () => {
    const text = 'see:\n```js\nconst a = 1\n  const b = 2\n```\nend'
    expect(splitMarkdown(text, 26)).to.deep.equal(['see:\n```js\nconst a = 1\n```', '```js\n  const b = 2\n```\nend'])
  })

  it('adds no fence behind a block that has ended', () => {
    expect(splitMarkdown('```\na\n```\nwords and words', 14)).to.deep.equal(['```\na\n```', 'words and words'])
  })
})
