import { AsyncResource } from 'node:async_hooks'
import { expect } from 'chai'
import { WholeHost } from './whole-host.js'

/** Counts the slots of each promise: one for every async context of the process. */
const slots = (): number => Object.getOwnPropertySymbols(new AsyncResource('probe')).length
const listeners = (): Record<string, number> =>
  Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))

describe('stopped host', () => {
  async function used(): Promise<void> {
    const host = await WholeHost.start()
    try {
      expect((await host.rpc('exec:check', { command: 'ls' })).status).to.equal(200)
    } finally {
      await host.close()
    }
  }

  it('leaves no async context in promises and no listener in the process', async () => {
    // The first host creates what a process keeps once.
    await used()
    const before = { slots: slots(), listeners: listeners() }
    await used()
    expect({ slots: slots(), listeners: listeners() }).to.deep.equal(before)
  })
})
