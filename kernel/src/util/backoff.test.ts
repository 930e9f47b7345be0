import { expect } from 'chai'
import { backoff } from './backoff.js'

describe('backoff', () => {
  it('doubles up to its bound', () => {
    expect([0, 1, 2, 3, 50].map((attempt) => backoff(attempt, { firstMs: 100, maxMs: 500 }))).to.deep.equal([
      100, 200, 400, 500, 500,
    ])
  })

  it('varies by its jitter in both directions', () => {
    const delay = (random: number): number =>
      backoff(0, { firstMs: 100, maxMs: 500, jitter: 0.2, random: () => random })
    expect([delay(0), delay(0.5), delay(1)].map(Math.round)).to.deep.equal([80, 100, 120])
  })
})
