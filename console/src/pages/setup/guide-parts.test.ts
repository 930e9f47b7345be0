import { expect } from 'chai'
import { partsOf } from './guide-parts.js'

describe('the parts of a guide', () => {
  it('are links, names of buttons, values and the text between them', () => {
    const guide = '1. Open the [Portal](https://portal.example/a?b), press **Reset**.\n2. Enter `@alice` as *owner*.'
    expect(partsOf(guide)).to.deep.equal([
      { kind: 'text', text: '1. Open the ' },
      { kind: 'link', text: 'Portal', href: 'https://portal.example/a?b' },
      { kind: 'text', text: ', press ' },
      { kind: 'strong', text: 'Reset' },
      { kind: 'text', text: '.\n2. Enter ' },
      { kind: 'code', text: '@alice' },
      { kind: 'text', text: ' as ' },
      { kind: 'strong', text: 'owner' },
      { kind: 'text', text: '.' },
    ])
  })

  it('keep what is no link to a page as text', () => {
    for (const text of ['[x](javascript:alert(1))', '[x](http://plain.example)', '<b>x</b>', '2 * 3', '``', ''])
      expect(partsOf(text)).to.deep.equal(text === '' ? [] : [{ kind: 'text', text }])
  })
})
