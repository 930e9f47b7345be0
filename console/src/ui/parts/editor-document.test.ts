import { expect } from 'chai'
import fc from 'fast-check'
import { changeBetween, Echoes, lineEndingOf, withLineFeeds } from './editor-document.js'

describe('Echoes', () => {
  it('recognize reported values that are handed back late, once', () => {
    const echoes = new Echoes()
    for (const value of ['a', 'ab', 'abc']) echoes.report(value)
    expect(echoes.take('ab')).to.equal(true)
    expect(echoes.take('a')).to.equal(false)
    expect(echoes.take('abc')).to.equal(true)
    expect(echoes.take('abc')).to.equal(false)
  })

  it('are not values from elsewhere', () => {
    const echoes = new Echoes()
    echoes.report('a')
    expect(echoes.take('theirs')).to.equal(false)
    expect(echoes.take('a')).to.equal(true)
  })
})

describe('changeBetween()', () => {
  it('replaces only what differs', () => {
    expect(changeBetween('port: 80\nhost: a\n', 'port: 8080\nhost: a\n')).to.deep.equal({
      from: 8,
      to: 8,
      insert: '80',
    })
    expect(changeBetween('abc', 'abc')).to.equal(undefined)
  })

  it('makes one text of the other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n') })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = changeBetween(before, after)
        const made = change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before
        expect(made).to.equal(after)
      }),
    )
  })
})

describe('lineEndingOf()', () => {
  it('keeps endings that all lines share', () => {
    expect(lineEndingOf('a\r\nb\r\n')).to.equal('\r\n')
    expect(lineEndingOf('a\nb')).to.equal('\n')
    expect(lineEndingOf('\n\r\n')).to.equal('\n')
    expect(lineEndingOf('')).to.equal('\n')
    expect(withLineFeeds('a\r\nb\rc\n')).to.equal('a\nb\nc\n')
  })
})
