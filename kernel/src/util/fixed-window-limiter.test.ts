import { expect } from 'chai'
import { FixedWindowLimiter } from './fixed-window-limiter.js'

describe('FixedWindowLimiter', () => {
  it('refuses calls over the limit until the window has passed', () => {
    const limiter = new FixedWindowLimiter()
    const limit = { count: 2, windowMs: 1_000 }
    expect([0, 10, 20].map((now) => limiter.take('a', limit, now))).to.deep.equal([0, 0, 980])
    expect(limiter.take('b', limit, 20)).to.equal(0)
    expect(limiter.take('a', limit, 1_000)).to.equal(0)
  })

  it('forgets the oldest window when there are too many keys', () => {
    const limiter = new FixedWindowLimiter(2)
    const limit = { count: 1, windowMs: 1_000 }
    for (const key of ['a', 'b', 'c']) limiter.take(key, limit, 0)
    expect(limiter.take('c', limit, 1)).to.equal(999)
    expect(limiter.take('a', limit, 1)).to.equal(0)
  })
})
