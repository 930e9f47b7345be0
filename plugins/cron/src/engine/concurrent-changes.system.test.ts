import { expect } from 'chai'
import { DAY_MS } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { onEverySystem } from '@mynah/plugin-database/testing'
import type { NewJob } from '../api.js'
import { DatabaseJobs } from '../store/database-jobs.js'
import { MemoryJobs } from '../store/memory-jobs.js'
import { JobRows, RunRows } from '../store/records.js'
import type { JobStore } from '../store/types.js'
import { Engines, scheduled } from '../test/engines.js'
import { until } from '../test/support.js'
import { newRun } from './job-factory.js'

const MINUTE = 60_000

/** The behaviour of engines that change the same rows. */
function concurrency(open: () => Promise<JobStore>): void {
  const started: Engines[] = []
  afterEach(async () => {
    for (const engines of started.splice(0)) await engines.stop()
  })
  const start = async (): Promise<Engines> => {
    const engines = new Engines(await open())
    started.push(engines)
    return engines
  }

  it('a job that another engine has paused takes no slot', async () => {
    const engines = await start()
    const one = await engines.start()
    await one.add(scheduled())
    const two = await engines.start()
    await one.setEnabled('job', false)
    await engines.pass(3 * MINUTE)
    expect(engines.ran).to.deep.equal([])
    expect(two.get('job')?.enabled).to.equal(false)
  })

  it('a job that another engine has removed takes no slot', async () => {
    const engines = await start()
    const one = await engines.start()
    await one.add(scheduled())
    const two = await engines.start()
    await one.remove('job')
    await engines.pass(3 * MINUTE)
    expect([engines.ran, two.get('job')]).to.deep.equal([[], undefined])
    expect(await two.remove('job')).to.equal(false)
  })

  it('concurrent changes of a job are all made', async () => {
    const engines = await start()
    const one = await engines.start()
    await one.add(scheduled())
    const two = await engines.start()
    await Promise.all([
      one.update('job', { label: 'new' }),
      two.update('job', ({ label }) => ({ action: { kind: 'agent', prompt: `after ${label ?? 'none'}` } })),
      one.setEnabled('job', false),
    ])
    const stored = await engines.store.job('job')
    expect(stored).to.deep.include({ label: 'new', enabled: false, revision: 3 })
    expect(stored?.action)
      .to.have.property('prompt')
      .that.matches(/^after (?:none|new)$/)
  })

  it('of two jobs with one id, the second is refused', async () => {
    const engines = await start()
    const [one, two] = [await engines.start(), await engines.start()]
    const added = await Promise.allSettled([
      one.add(scheduled()),
      two.add(scheduled({ label: 'two' })),
      one.add(scheduled()),
    ])
    expect(added.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    for (const result of added)
      if (result.status === 'rejected') expect(result.reason).to.have.property('code', 'conflict')
  })

  it('a run whose row another has ended is neither continued nor delivered', async () => {
    const engines = await start()
    let release = (): void => {}
    engines.action = () =>
      new Promise((resolve) => {
        release = () => resolve('late')
      })
    const one = await engines.start()
    await one.add(scheduled({ notify: { channel: 'log' } }))
    const { runId } = await one.run('job')
    await until(() => engines.ran.length === 1)
    const running = await engines.store.run(runId)
    if (!running) throw new Error('there is no run')
    await engines.store.write({ runs: [{ from: running, to: { state: 'interrupted', stage: 'ended' } }] })
    release()
    await until(() => !one.runner.pool.isBusy('job'))
    expect(await engines.store.run(runId)).to.include({ state: 'interrupted', stage: 'ended', result: null })
    expect(engines.sent).to.deep.equal([])
  })

  it('a queued run that two engines have loaded is run by one', async () => {
    const engines = await start()
    const first = await engines.start()
    await first.add(scheduled({ trigger: { kind: 'im' } }))
    await first.stop()
    const { runId } = await first.run('job')
    const [one, two] = await Promise.all([engines.start(), engines.start()])
    await until(async () => (await engines.store.run(runId))?.state === 'ok')
    await until(() => !one.runner.pool.isBusy('job') && !two.runner.pool.isBusy('job'))
    expect(engines.ran).to.deep.equal([runId])
  })

  it('a change whose answer was lost is made once', async () => {
    const engines = await start()
    const lost = new Set<string>()
    const engine = await engines.start((store) => ({
      async write(change) {
        const isWritten = await store.write(change)
        const [run] = change.events ?? []
        const step = `${run?.state} ${run?.stage}`
        if (!run || lost.has(step)) return isWritten
        lost.add(step)
        throw new WireError('not_ready', 'the line broke')
      },
    }))
    engines.action = () => Promise.reject(new Error('broken'))
    await engine.add(scheduled({ trigger: { kind: 'im' } }))
    const { runId } = await engine.run('job')
    await until(async () => {
      await engines.clock.advance(1_000)
      return (await engines.store.run(runId))?.stage === 'ended' && !engine.runner.pool.isBusy('job')
    })
    expect([...lost]).to.deep.equal(['running action', 'error ended'])
    expect(engines.ran).to.deep.equal([runId])
    expect(engine.index.get('job')).to.deep.equal(await engines.store.job('job'))
    expect(engine.get('job')).to.deep.include({ failures: 1 })
    expect(engines.counters.ended).to.include({ error: 1 })
  })

  it('an outcome waits for a store that is unavailable', async () => {
    const engines = await start()
    let isAway = false
    const engine = await engines.start((store) => ({
      write: (change) =>
        isAway ? Promise.reject(new WireError('not_ready', 'the disk is full')) : store.write(change),
    }))
    engines.action = () => {
      isAway = true
      return Promise.resolve('done')
    }
    await engine.add(scheduled({ trigger: { kind: 'im' }, notify: { channel: 'log' } }))
    const { runId } = await engine.run('job')
    await until(() => isAway)
    for (let n = 0; n < 10; n++) await engines.clock.advance(5_000)
    expect([(await engines.store.run(runId))?.state, engines.sent]).to.deep.equal(['running', []])
    isAway = false
    await until(async () => {
      await engines.clock.advance(1_000)
      return (await engines.store.run(runId))?.state === 'ok'
    })
    expect([engines.ran, engines.sent]).to.deep.equal([[runId], ['done']])
  })

  it('runs of a start after the clock was set back sort after earlier ones', async () => {
    const engines = await start()
    // Not made by this process, whose own ids are in order.
    const ahead = `${(Date.now() + 2 * DAY_MS).toString(36).padStart(9, '0')}zzzzzzzzzzz`
    const old = { ...newRun('job', '1', engines.clock.now(), null, ahead), state: 'ok', stage: 'ended' } as const
    await engines.store.write({ added: [old] })
    const engine = await engines.start()
    await engine.add(scheduled({ trigger: { kind: 'im' } }))
    const { runId } = await engine.run('job')
    expect((await engines.store.runs('job', { limit: 5 })).map(({ id }) => id)).to.deep.equal([runId, ahead])
  })

  it('a follow-up whose slot was taken is not replaced', async () => {
    const engines = await start()
    const one = await engines.start()
    const at = engines.clock.now() + MINUTE
    const followUp = (id: string): NewJob =>
      scheduled({ id, trigger: { kind: 'schedule', schedule: { at } }, once: true, group: 'group', missed: 'once' })
    await one.add(followUp('first'))
    // The slot is being taken while the second one is added.
    const [, second] = await Promise.all([engines.clock.advance(MINUTE), one.add(followUp('second'))])
    expect(second.id).to.equal('second')
    await until(async () => {
      await engines.clock.advance(1_000)
      return (await engines.store.jobs(undefined, 5)).length === 0
    })
    const states = (await Promise.all(['first', 'second'].map((id) => engines.store.runs(id, { limit: 5 })))).flat()
    expect(states).to.have.length(2)
    expect(states.filter(({ state }) => state === 'ok')).to.have.length(engines.ran.length)
    expect(states.every(({ stage }) => stage === 'ended')).to.equal(true)
  })
}

describe('concurrent changes (memory)', () => {
  concurrency(() => Promise.resolve(new MemoryJobs(() => {})))
})

onEverySystem('concurrent changes', (open) => {
  concurrency(async () => {
    const { store } = await open()
    await store.contribute([JobRows, RunRows])
    return new DatabaseJobs(store)
  })
})
