import { expect } from 'chai'
import { hasNul } from '../api.js'

describe('hasNul', () => {
  for (const value of ['\0', 'a\0b', { text: ['x', { deep: '\\\0' }] }, { 'a\0': 1 }])
    it(`finds a NUL character in ${JSON.stringify(value)}`, () => expect(hasNul(value)).to.equal(true))

  for (const value of ['\\u0000', '\\\\u0000', 'u0000', { text: '"\\u0000"' }, '\u0001', ''])
    it(`finds none in ${JSON.stringify(value)}`, () => expect(hasNul(value)).to.equal(false))
})
