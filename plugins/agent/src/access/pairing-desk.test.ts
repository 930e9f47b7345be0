import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import type { Logger } from '@mynah/kernel'
import type { Message } from '@mynah/plugin-chat/api'
import type { ApprovalEnd, Approvals } from '@mynah/plugin-exec-security/api'
import { PairingDesk } from './pairing-desk.js'
import { MemoryPairings, type Pairing, type PairingKey } from './pairings.js'

const turnsOfTheLoop = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Pairings whose calls take some turns of the event loop, as those of a database do. */
class SlowPairings extends MemoryPairings {
  override async get(key: PairingKey): Promise<Pairing | undefined> {
    const found = await super.get(key)
    await turnsOfTheLoop()
    return found
  }

  override async put(pairing: Pairing): Promise<void> {
    await turnsOfTheLoop()
    await super.put(pairing)
  }
}

describe('PairingDesk', () => {
  const key = { adapter: 'test', endpoint: 'one', user: 'eve' }
  const message = {
    ...{ adapter: 'test', endpoint: 'one', sender: { id: 'eve' } },
    channel: { type: 'private', id: 'eve' },
  } as unknown as Message

  it('keeps the decision of a command while the request that it withdraws is settled', async () => {
    const pairings = new SlowPairings()
    const aborting = new AbortController()
    let end = (_how: ApprovalEnd): void => {}
    const ended = new Promise<ApprovalEnd>((resolve) => (end = resolve))
    const approvals = {
      request: async () => ({ id: 'r1' }),
      wait: () => ended,
      withdraw: async () => end('withdrawn'),
    } as unknown as Approvals
    const log = { warn: (text: string) => expect.fail(text) } as unknown as Logger
    const desk = new PairingDesk({
      pairings,
      approvals: { declared: true, current: approvals, onChange: () => () => {} },
      chat: () => undefined,
      clock: new TestClock(),
      log,
      signal: aborting.signal,
    })
    expect(await desk.meet(message)).to.equal('asked')
    expect(await desk.set(key, true)).to.equal(true)
    // The end of the request is settled before this answer.
    expect(await desk.meet(message)).to.equal('paired')
    aborting.abort()
  })
})
