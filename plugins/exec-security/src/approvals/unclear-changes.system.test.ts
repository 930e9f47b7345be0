import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { TestClock } from '@mynah/kernel/testing'
import { ORIGIN, start, stopAll, until } from '../test/host.js'

type AnyCall = (...args: unknown[]) => Promise<unknown>

describe('UnclearChanges', () => {
  afterEach(stopAll)

  for (const fault of ['taken', 'refused'] as const)
    it(`lets an approval take effect whose change was ${fault} without an answer`, async () => {
      const clock = new TestClock()
      const { exec, approvals, database } = await start({ clock, database: true })
      const { approvalId: id = '' } = await exec.request('make all', { origin: ORIGIN })
      let end: string | undefined
      void approvals.wait(id).then((ended) => (end = ended))
      const store = database as unknown as { tx: AnyCall; read: AnyCall }
      const { tx, read } = store
      const gone = new WireError('not_ready', 'The database is not available')
      store.tx = async (...args) => {
        if (fault === 'taken') await tx.apply(store, args)
        throw gone
      }
      expect(await approvals.decide(id, true, 'owner').catch((error: unknown) => error)).to.equal(gone)
      store.tx = tx
      if (fault === 'refused') await approvals.decide(id, true, 'owner')
      store.read = async () => {
        store.read = read
        throw gone
      }
      await until(async () => {
        await clock.advance(250)
        return end !== undefined
      })
      expect(end).to.equal('approved')
    })
})
