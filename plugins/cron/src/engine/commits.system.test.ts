import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { onEverySystem } from '@mynah/plugin-database/testing'
import type { NewJob } from '../api.js'
import { DatabaseJobs } from '../store/database-jobs.js'
import { MemoryJobs } from '../store/memory-jobs.js'
import { JobRows, RunRows } from '../store/records.js'
import type { JobStore } from '../store/types.js'
import { Engines, scheduled } from '../test/engines.js'
import { until } from '../test/support.js'
import type { Engine } from './engine.js'

const MINUTE = 60_000
const away = () => new WireError('not_ready', 'the line broke')
const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  )

/** The behaviour of engines whose commits are answered with an error. */
function answers(open: () => Promise<JobStore>): void {
  const started: Engines[] = []
  afterEach(async () => {
    for (const engines of started.splice(0)) await engines.stop()
  })

  /** Starts an engine. The next commit after `lose` is answered with an error, and reads fail until `restore`. */
  async function fragile({ commits = true } = {}) {
    const engines = new Engines(await open())
    started.push(engines)
    let losing = false
    let isAway = false
    const lost = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isAway) throw away()
      if (!losing) return work()
      losing = false
      isAway = true
      if (commits) await work()
      throw away()
    }
    const read = <T>(work: () => Promise<T>): Promise<T> => (isAway ? Promise.reject(away()) : work())
    const engine = await engines.start((store) => ({
      claim: (claims) => lost(() => store.claim(claims)),
      write: (change) => lost(() => store.write(change)),
      run: (id) => read(() => store.run(id)),
      job: (id) => read(() => store.job(id)),
      findRun: (job, slot) => read(() => store.findRun(job, slot)),
    }))
    const passUntil = (isDone: () => boolean | Promise<boolean>): Promise<void> =>
      until(async () => {
        await engines.clock.advance(500)
        return isDone()
      })
    return {
      engines,
      engine,
      passUntil,
      lose: () => void (losing = true),
      isAway: () => isAway,
      restore: () => void (isAway = false),
      runs: (job = 'job') => engines.store.runs(job, { limit: 10 }),
    }
  }
  const isCalm = (engine: Engine): boolean => !engine.index.ids().some((id) => engine.runner.pool.isBusy(id))
  const onRequest = (more: Partial<NewJob> = {}): NewJob => scheduled({ trigger: { kind: 'im' }, ...more })

  it('a slot that was claimed runs when the store is available again', async () => {
    const { engines, engine, passUntil, lose, isAway, restore, runs } = await fragile()
    await engine.add(scheduled({ trigger: { kind: 'schedule', schedule: { at: engines.clock.now() + MINUTE } } }))
    lose()
    await passUntil(isAway)
    restore()
    await passUntil(async () => (await runs())[0]?.stage === 'ended' && isCalm(engine))
    expect((await runs()).map(({ state }) => state)).to.deep.equal(['ok'])
    expect(engines.ran).to.have.length(1)
    expect(engine.index.get('job')).to.deep.equal(await engines.store.job('job'))
  })

  it('a run on request whose caller got an error runs, once', async () => {
    const { engines, engine, passUntil, lose, restore, runs } = await fragile()
    await engine.add(onRequest())
    lose()
    expect(await rejection(engine.run('job', { eventId: 'one' }))).to.equal('not_ready')
    restore()
    const again = await engine.run('job', { eventId: 'one' })
    expect(again.isDuplicate).to.equal(true)
    await passUntil(async () => (await runs())[0]?.stage === 'ended' && isCalm(engine))
    expect(engines.ran).to.deep.equal([again.runId])
  })

  it('an event whose sender got an error runs, once, and its job is removed', async () => {
    const { engines, engine, passUntil, lose, restore, runs } = await fragile()
    const once = onRequest({ trigger: { kind: 'event' } as never, creator: { kind: 'event' } as never })
    lose()
    expect(await rejection(engine.runOnce(once, 'slot', 'key'))).to.equal('not_ready')
    restore()
    expect((await engine.runOnce(once, 'slot', 'key')).isDuplicate).to.equal(true)
    await passUntil(async () => (await runs('key'))[0]?.stage === 'ended' && isCalm(engine))
    expect((await runs('key')).map(({ state }) => state)).to.deep.equal(['ok'])
    expect(engines.ran).to.have.length(1)
    expect(engine.get('key')).to.equal(undefined)
    expect(engine.index.pendingEvents).to.equal(0)
  })

  it('a run that was not stored does not run', async () => {
    const { engines, engine, passUntil, lose, restore, runs } = await fragile({ commits: false })
    await engine.add(onRequest())
    lose()
    expect(await rejection(engine.run('job'))).to.equal('not_ready')
    restore()
    const { runId } = await engine.run('job')
    await passUntil(async () => (await runs())[0]?.stage === 'ended' && isCalm(engine))
    expect(engines.ran).to.deep.equal([runId])
  })

  it('a job that was added takes its slots', async () => {
    const { engine, passUntil, lose, restore, runs } = await fragile()
    lose()
    expect(await rejection(engine.add(scheduled()))).to.equal('not_ready')
    restore()
    await passUntil(async () => (await runs())[0]?.state === 'ok' && isCalm(engine))
    expect(engine.get('job')?.id).to.equal('job')
  })

  it('jobs are shown as they are stored', async () => {
    const { engine, passUntil, lose, restore, runs } = await fragile()
    await engine.add(scheduled())
    await engine.setEnabled('job', false)
    lose()
    expect(await rejection(engine.setEnabled('job', true))).to.equal('not_ready')
    restore()
    await passUntil(async () => (await runs())[0]?.state === 'ok' && isCalm(engine))
    expect(engine.get('job')?.enabled).to.equal(true)
    lose()
    expect(await rejection(engine.remove('job'))).to.equal('not_ready')
    restore()
    await passUntil(() => engine.get('job') === undefined)
  })
}

describe('commits without an answer (memory)', () => {
  answers(() => Promise.resolve(new MemoryJobs(() => {})))
})

onEverySystem('commits without an answer', (open) => {
  answers(async () => {
    const { store } = await open()
    await store.contribute([JobRows, RunRows])
    return new DatabaseJobs(store)
  })
})
