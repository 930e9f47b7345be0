import { expect } from 'chai'
import { omitUndefined } from './omit-undefined.js'

describe('omitUndefined', () => {
  it('copies the other fields', () => {
    const value: { a: number; b?: string } = omitUndefined({ a: 1, b: undefined as string | undefined })
    expect(value).to.deep.equal({ a: 1 })
    expect(omitUndefined({ a: null, b: 0, c: '' })).to.deep.equal({ a: null, b: 0, c: '' })
  })
})
