import { expect } from 'chai'
import fc from 'fast-check'
import { stylesOf } from './styles.js'

describe('stylesOf', () => {
  it('keeps only lengths, words and colours', () => {
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'url(http://x)',
        'red;background:url(x)',
        'expression(1)',
        'calc(1px)',
        '-5px',
        '1e9px',
        'var(--x)',
        '#fff"/><image href="x"',
        '50%',
        '10px',
      ),
    )
    const names = fc.constantFrom(
      'color',
      'background',
      'background-image',
      'width',
      'padding',
      'border',
      'font-size',
      'position',
      'transform',
      'display',
      'filter',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values)), (pairs) => {
        const style = stylesOf(pairs.map(([name, value]) => `${name}:${value}`).join(';')) ?? {}
        for (const [name, value] of Object.entries(style)) {
          expect(name).to.match(
            /^(?:color|backgroundColor|width|height|padding\w+|margin\w+|border\w+|fontSize|flexDirection)$/,
          )
          if (typeof value === 'number') expect(value).to.be.within(0, 2_000)
          else expect(value).to.match(/^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl)a?\([\d.,% /]+\)|\d[\d.]*%)$/)
        }
      }),
    )
  })
})
