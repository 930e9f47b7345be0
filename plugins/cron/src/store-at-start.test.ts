import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { DatabaseJobs } from './store/database-jobs.js'
import { eachTest, MINUTE, Rig, until } from './test/support.js'

describe('a start while the store is not available', () => {
  const tests = eachTest()
  const undo: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one()
  })

  /** Lets a method of the store fail while `isAway` returns true. */
  function failing(method: 'jobs' | 'openRuns' | 'write', isAway: () => boolean): void {
    const original = DatabaseJobs.prototype[method] as (...args: unknown[]) => Promise<never>
    const replace = (by: unknown): void => void Object.assign(DatabaseJobs.prototype, { [method]: by })
    replace(function (this: DatabaseJobs, ...args: unknown[]) {
      return isAway()
        ? Promise.reject(new WireError('not_ready', 'The database is not available'))
        : original.apply(this, args)
    })
    undo.push(() => replace(original))
  }

  for (const method of ['jobs', 'openRuns'] as const)
    it(`is repeated after one read that fails, and holds the host up in nothing (${method})`, async () => {
      const first = await tests.start()
      const id = await first.task('*/10 * * * *', { notify: { channel: 'silent' } })
      await first.stop(true)
      let failures = 0
      failing(method, () => failures++ === 0)
      const rig = new Rig(first.clock.now())
      const starting = rig.start({ data: first.data })
      // The host has started, without jobs.
      await until(() => rig.host !== undefined && failures === 1)
      undo.push(() => rig.stop())
      await until(async () => {
        await rig.clock.advance(1_000)
        return failures > 1
      })
      await starting
      await rig.pass(10 * MINUTE)
      expect((await rig.runs(id)).map(({ state }) => state)).to.deep.equal(['ok'])
      expect(rig.logged.filter((line) => line.includes('cron failed to start'))).to.deep.equal([])
    })

  it('reports runs that a stop has interrupted once the store is available', async () => {
    const first = await tests.start({ hangs: true, agent: () => new Promise(() => {}) })
    const id = await first.task('*/10 * * * *', { notify: { channel: 'silent' } })
    await first.clock.advance(10 * MINUTE)
    await until(async () => (await first.runs(id))[0]?.state === 'running')
    await first.stop(true)
    let failures = 0
    failing('write', () => failures++ < 2)
    const rig = new Rig(first.clock.now())
    const starting = rig.start({ data: first.data })
    await until(() => rig.host !== undefined && failures === 1)
    undo.push(() => rig.stop())
    await until(async () => {
      await rig.clock.advance(1_000)
      return failures > 2
    })
    await starting
    await until(async () => (await rig.runs(id))[0]?.state === 'interrupted')
    await rig.settled()
  })
})
