import { expect } from 'chai'
import { systemClock } from './clock.js'

describe('systemClock', () => {
  it('fires, repeats and cancels timers, also very long ones', async () => {
    const fired: string[] = []
    const far = systemClock.setTimeout(() => fired.push('far'), 2 ** 31 + 1_000)
    const cancelled = systemClock.setTimeout(() => fired.push('cancelled'), 1)
    cancelled()
    await new Promise<void>((resolve) => {
      // Keeps the process up, which the timers of the clock do not.
      const alive = setInterval(() => {}, 1_000)
      const stop = systemClock.setInterval(() => {
        fired.push('tick')
        if (fired.length < 2) return
        stop()
        clearInterval(alive)
        resolve()
      }, 1)
    })
    far()
    expect(fired).to.deep.equal(['tick', 'tick'])
    expect(systemClock.now()).to.be.closeTo(Date.now(), 1_000)
  })
})
