import { expect } from 'chai'
import { TestClock } from './testing.js'

describe('TestClock', () => {
  it('fires in order of time and counts pending timers', async () => {
    const clock = new TestClock(0)
    const fired: string[] = []
    clock.setTimeout(() => fired.push(`b ${clock.now()}`), 20)
    clock.setTimeout(() => {
      fired.push(`a ${clock.now()}`)
      clock.setTimeout(() => fired.push(`c ${clock.now()}`), 5)
    }, 10)
    const stop = clock.setInterval(() => fired.push(`i ${clock.now()}`), 12)
    await clock.advance(24)
    expect(fired).to.deep.equal(['a 10', 'i 12', 'c 15', 'b 20', 'i 24'])
    expect({ now: clock.now(), pending: clock.pending }).to.deep.equal({ now: 24, pending: 1 })
    stop()
    expect(clock.pending).to.equal(0)
  })
})
