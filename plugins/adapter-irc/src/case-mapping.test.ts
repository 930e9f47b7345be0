import { expect } from 'chai'
import { configuredNames, lowerCase } from './case-mapping.js'
import { Mentions } from './text.js'

describe('CASEMAPPING', () => {
  it('rfc1459 folds brackets, the backslash and the caret, its strict form all but the caret', () => {
    expect(lowerCase('Bot[x]\\^', 'rfc1459')).to.equal('bot{x}|~')
    for (const strict of ['strict-rfc1459', 'rfc1459-strict'])
      expect(lowerCase('Bot[x]\\^', strict)).to.equal('bot{x}|^')
  })

  it('ascii folds letters only, and so does a mapping that is not known', () => {
    for (const mapping of ['ascii', 'ASCII', 'rfc7613', 'utf8', '', undefined, '__proto__'])
      expect(lowerCase('Bot[x]\\^Ä', mapping), String(mapping)).to.equal('bot[x]\\^Ä')
  })

  it('decides which spellings of a nick mention the bot', () => {
    const isMentioned = (text: string, mapping: string): boolean => new Mentions('bot[x]', mapping).read(text).mentioned
    expect(isMentioned('bot{x}: hi there', 'rfc1459')).to.equal(true)
    expect(isMentioned('hi BOT{X}', 'rfc1459')).to.equal(true)
    expect(isMentioned('bot{x}: hi there', 'ascii')).to.equal(false)
    expect(isMentioned('Bot[x]: hi there', 'ascii')).to.equal(true)
    expect(new Mentions('a^b', 'rfc1459').read('A~b: hi').mentioned).to.equal(true)
    expect(new Mentions('a^b', 'strict-rfc1459').read('A~b: hi').mentioned).to.equal(false)
  })

  it('applies to the names of owners, rules and channels', () => {
    expect(
      configuredNames({
        adapter: 'irc',
        id: 'net',
        master: 'Ann',
        trusted: ['Bob[1]'],
        access: { list: ['irc|net|#Room', 'irc|other|#elsewhere'] },
        channels: ['#yard key'],
      }),
    ).to.deep.equal(['Ann', 'Bob[1]', '#Room', '#yard'])
  })
})
