import { AsyncResource } from 'node:async_hooks'
import { expect } from 'chai'
import { WholeHost } from './whole-host.js'

/** What each promise of the process carries along, a slot for everything that is remembered across calls. */
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
    // What a process keeps once, it has from the first host on.
    await used()
    const before = { slots: slots(), listeners: listeners() }
    await used()
    expect({ slots: slots(), listeners: listeners() }).to.deep.equal(before)
  })
})
