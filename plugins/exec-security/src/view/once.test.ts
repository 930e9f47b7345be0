import { expect } from 'chai'
import { once } from './once.js'

describe('once', () => {
  it('finds once for all callers, and tries again after a failure', async () => {
    let tries = 0
    const find = once(async () => {
      if (++tries === 1) throw new Error('too many open files')
      return tries
    })
    const failures = await Promise.allSettled([find(), find()])
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(await Promise.all([find(), find()])).to.deep.equal([2, 2])
    expect(await find()).to.equal(2)
  })
})
