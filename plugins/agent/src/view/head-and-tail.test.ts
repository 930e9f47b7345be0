import { expect } from 'chai'
import { headAndTail } from './head-and-tail.js'

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
const bytes = (text: string): number => Buffer.byteLength(text)

describe('headAndTail', () => {
  it('keeps whole lines of the beginning and of the end', () => {
    const text = headAndTail(lines(6_000), '; more in a file')
    expect(text.split('\n')).to.have.length(2_001)
    expect(text)
      .to.match(/^line 1\nline 2\n/)
      .and.match(/\nline 5999\nline 6000$/)
      .and.match(/\nline 1400\n\[… \d+ characters, \d+ lines left out; more in a file …\]\nline 5401\n/)
  })

  it('keeps parts of one long line between short ones', () => {
    for (const [first, last] of [
      ['[', ']'],
      ['{"rows":', ''],
      ['', ''],
    ]) {
      const text = headAndTail(`${first}\n${'0123456789'.repeat(20_000)}\n${last}`, '; more in a file')
      expect(text.startsWith(`${first}\n0123456789`)).to.equal(true)
      expect(text.endsWith(`0123456789\n${last}`)).to.equal(true)
      expect(text).to.contain('characters, 0 lines left out; more in a file')
      expect(bytes(text)).to.be.at.most(51_300)
    }
  })

  it('keeps parts of a text without lines, and no half of a character', () => {
    for (const shift of ['', 'x']) {
      const text = headAndTail(`${shift}${'😀'.repeat(60_000)}`, '')
      expect(bytes(text)).to.be.within(20_000, 51_300)
      expect(text.isWellFormed()).to.equal(true)
    }
  })

  it('shows as much as is asked for', () => {
    const text = headAndTail(lines(6_000), '', 2_000)
    expect(bytes(text)).to.be.within(1_800, 2_100)
    expect(text)
      .to.match(/^line 1\n/)
      .and.match(/\nline 6000$/)
  })
})
