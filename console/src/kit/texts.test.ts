import { expect } from 'chai'
import { curl, marked, resourceOf } from '../pages/introspection/model.js'
import { shortName, webAddress } from '../pages/marketplace/model.js'
import { lineDiff } from './diff.js'
import { timeLeft, compactNumber, elapsed } from './time-format.js'

describe('texts', () => {
  it('are marked where a filter finds them, and never as an expression', () => {
    expect(marked('Rebuild the docs', 're')).to.deep.equal(['', 'Re', 'build the docs'])
    expect(marked('a.b', '.')).to.deep.equal(['a', '.', 'b'])
    expect(marked('abc', '')).to.deep.equal(['abc'])
    expect(resourceOf('tools')).to.equal('tools')
    expect(resourceOf('constructor')).to.equal('commands')
    expect(curl("http://h/x?filter='")).to.equal(`curl -H "Authorization: Bearer $TOKEN" 'http://h/x?filter=%27'`)
  })

  it('become links only if they are web addresses', () => {
    expect(webAddress('git+https://git.example.org/a.git')).to.equal('https://git.example.org/a')
    for (const text of ['javascript:alert(1)', 'file:///etc/passwd', 'nothing'])
      expect(webAddress(text), text).to.equal(undefined)
    expect([shortName('@mynah/plugin-irc'), shortName('mynah-plugin-x'), shortName('@a/mynah-plugin-x')]).to.deep.equal(
      ['irc', 'x', '@a/mynah-plugin-x'],
    )
  })

  it('differ by lines, with unchanged stretches folded', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')
    const lines = lineDiff(before, before.replace('line 10', 'changed'))
    expect(lines.map((line) => (line.kind === 'fold' ? `fold ${line.count}` : line.kind))).to.deep.equal([
      'fold 7',
      'same',
      'same',
      'same',
      'del',
      'add',
      'same',
      'same',
      'same',
      'fold 6',
    ])
    expect(lineDiff('a\n', 'a\n')).to.deep.equal([{ kind: 'fold', count: 1 }])
  })

  it('shorten durations and amounts', () => {
    expect([elapsed(12), elapsed(4820), elapsed(300_000), elapsed(334_000), elapsed(7_260_000)]).to.deep.equal([
      '12 ms',
      '4.82 s',
      '5 min',
      '5 min 34 s',
      '2 h 1 min',
    ])
    expect([timeLeft(0), timeLeft(102_000), timeLeft(3_723_000)]).to.deep.equal(['0:00', '1:42', '1:02:03'])
    expect([compactNumber(999), compactNumber(21_000), compactNumber(400_000), compactNumber(1_000_000)]).to.deep.equal(
      ['999', '21.0k', '400k', '1.0M'],
    )
  })
})
