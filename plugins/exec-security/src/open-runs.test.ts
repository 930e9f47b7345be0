import { expect } from 'chai'
import { OpenRuns } from './open-runs.js'

describe('OpenRuns', () => {
  it('covers processes that began while a command ran, or any while one runs', async () => {
    let now = 100
    const runs = new OpenRuns(() => now)
    expect(runs.covers(100)).to.equal(false)
    await runs.during(async () => {
      expect(runs.covers(1), 'a command runs').to.equal(true)
      now = 110
      // Commands that overlap are one time.
      await runs.during(() => Promise.resolve())
      now = 120
    })
    expect([99, 100, 115, 120, 121].map((at) => runs.covers(at))).to.deep.equal([false, true, true, true, false])
  })

  it('remembers a command that has failed', async () => {
    let now = 5
    const runs = new OpenRuns(() => now)
    const failed = await runs
      .during(() => {
        now = 6
        return Promise.reject(new Error('failed'))
      })
      .catch((error: Error) => error.message)
    expect([failed, runs.covers(5.5), runs.covers(7)]).to.deep.equal(['failed', true, false])
  })

  it('covers the time between the oldest of very many commands', async () => {
    let now = 0
    const runs = new OpenRuns(() => now)
    for (let i = 0; i < 1001; i++) {
      now = i * 10
      await runs.during(() => Promise.resolve())
    }
    expect([5, 15, 10_000].map((at) => runs.covers(at))).to.deep.equal([true, false, true])
  })
})
