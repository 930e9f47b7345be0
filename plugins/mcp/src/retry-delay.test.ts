import { expect } from 'chai'
import fc from 'fast-check'
import { retryDelay } from './retry-delay.js'

describe('retryDelay', () => {
  it('grows with each attempt, up to five minutes', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        expect(retryDelay(attempts, random)).to.be.within(500, 300_000)
      }),
    )
    expect(retryDelay(0, 1)).to.equal(1_000)
    expect(retryDelay(3, 1)).to.equal(8_000)
    expect(retryDelay(1_000, 1)).to.equal(300_000)
  })
})
