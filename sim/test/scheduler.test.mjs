import { expect } from 'chai'
import { Endless, Scheduler } from '../core/scheduler.mjs'

describe('Scheduler', () => {
  it('runs events in the order of their times, and promises as far as they can between two of them', async () => {
    const scheduler = new Scheduler()
    const seen = []
    const note = (name) => async () => {
      seen.push(name)
      await Promise.resolve()
      await Promise.resolve()
      seen.push(`${name}, later`)
    }
    scheduler.add('b', 2, note('b'))
    scheduler.add('a', 1, note('a'))
    scheduler.add('c', 2, note('c'))
    await scheduler.runUntil(2)
    expect(seen).to.deep.equal(['a', 'a, later', 'b', 'b, later', 'c', 'c, later'])
    expect(scheduler.now).to.equal(2)
  })

  it('forgets the events of a host that died, and keeps those of the world', async () => {
    const scheduler = new Scheduler()
    const seen = []
    scheduler.add('host', 1, () => seen.push('host'))
    scheduler.add('world', 1, () => seen.push('world'), 0)
    const cancel = scheduler.add('cancelled', 1, () => seen.push('cancelled'), 0)
    cancel()
    scheduler.crash()
    scheduler.add('next life', 2, () => seen.push('next life'))
    await scheduler.runUntil(5)
    expect(seen).to.deep.equal(['world', 'next life'])
  })

  it('lets one answer overtake another', async () => {
    const scheduler = new Scheduler({ swapAt: 1 })
    const seen = []
    const add = (name, ms) => scheduler.add(name, ms, () => seen.push(name), undefined, true)
    add('first', 1)
    add('second', 2)
    add('third', 3)
    add('fourth', 4)
    await scheduler.runUntil(9)
    expect(seen).to.deep.equal(['first', 'third', 'second', 'fourth'])
  })

  it('gives up a history that goes round in circles', async () => {
    const scheduler = new Scheduler()
    const again = () => void scheduler.add('again', 0, again)
    again()
    const failure = await scheduler.runUntil(1).then(
      () => undefined,
      (error) => error,
    )
    expect(failure).to.be.instanceOf(Endless)
  })
})
