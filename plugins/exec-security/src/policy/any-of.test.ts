import { expect } from 'chai'
import { anyOf } from './any-of.js'

describe('anyOf', () => {
  const pattern = anyOf(/^(?:one|two)$/i, /^three$/i)

  for (const text of ['one', 'TWO', 'Three'])
    it(`matches ${text}, which one of its patterns matches`, () => {
      expect(pattern.test(text)).to.equal(true)
    })

  for (const text of ['onethree', 'one three', ''])
    it(`does not match "${text}", which none of its patterns matches`, () => {
      expect(pattern.test(text)).to.equal(false)
    })
})
