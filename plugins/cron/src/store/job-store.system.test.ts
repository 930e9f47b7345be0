import { expect } from 'chai'
import { DAY_MS } from '@mynah/kernel/util'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { newJob, newRun } from '../engine/job-factory.js'
import { DatabaseJobs } from './database-jobs.js'
import { MemoryJobs } from './memory-jobs.js'
import { JobRows, RunRows } from './records.js'
import type { JobStore, StoredJob, StoredRun } from './types.js'

const NOW = Date.UTC(2026, 0, 1)

const job = (id: string): StoredJob =>
  newJob(
    {
      id,
      label: `label of ${id}`,
      trigger: { kind: 'schedule', schedule: { cron: '0 * * * *', timezone: 'UTC' } },
      action: { kind: 'agent', prompt: 'look' },
      notify: { channel: 'log' },
      policy: { requiresMaster: true },
      creator: { kind: 'event', source: 'test' },
      group: 'group',
    },
    NOW,
    'UTC',
  )
const run = (jobId: string, slot: string, id = slot, createdAt = NOW): StoredRun =>
  newRun(jobId, slot, createdAt, null, id)
const ended = (jobId: string, slot: string, createdAt = NOW): StoredRun => ({
  ...run(jobId, slot, slot, createdAt),
  state: 'ok',
  stage: 'ended',
})

/** Adds jobs and runs. */
async function add(store: JobStore, runs: readonly StoredRun[], jobs: readonly StoredJob[] = []): Promise<void> {
  await store.write({ added: runs, jobs })
}

/** Tests the behaviour of every job store. */
function jobStoreContract(open: () => Promise<JobStore>): void {
  it('returns a job as it was added', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    expect(await store.job('a')).to.deep.equal(job('a'))
    expect(await store.job('b')).to.equal(undefined)
  })

  it('adds a job whose id is free, and changes nothing where it is not', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    expect(await store.write({ jobs: [job('b'), { ...job('a'), label: 'other' }] })).to.equal(false)
    expect((await store.job('a'))?.label).to.equal('label of a')
    expect(await store.job('b')).to.equal(undefined)
  })

  it('returns jobs in pages ordered by id', async () => {
    const store = await open()
    await store.write({ jobs: ['c', 'a', 'b'].map(job) })
    expect((await store.jobs(undefined, 2)).map(({ id }) => id)).to.deep.equal(['a', 'b'])
    expect((await store.jobs('b', 2)).map(({ id }) => id)).to.deep.equal(['c'])
  })

  it('changes the given fields of a job and of a run', async () => {
    const store = await open()
    await add(store, [run('a', '1')], [job('a')])
    const isWritten = await store.write({
      changes: [
        {
          from: job('a'),
          to: { nextRunAt: 5, lastStatus: 'error', recent: [{ slot: '1', state: 'error' }], failures: 2 },
        },
      ],
      runs: [
        { from: run('a', '1'), to: { state: 'error', stage: 'ended', error: 'broken', notice: {}, finishedAt: 7 } },
      ],
    })
    expect(isWritten).to.equal(true)
    expect(await store.job('a')).to.deep.equal({
      ...job('a'),
      revision: 1,
      nextRunAt: 5,
      lastStatus: 'error',
      recent: [{ slot: '1', state: 'error' }],
      failures: 2,
    })
    expect(await store.run('1')).to.deep.equal({
      ...run('a', '1'),
      state: 'error',
      stage: 'ended',
      error: 'broken',
      notice: {},
      finishedAt: 7,
    })
  })

  it('changes a run only in the state, stage, attempt and node that the change starts from', async () => {
    const store = await open()
    await add(store, [run('a', '1')])
    const to = { state: 'running', node: 'one' } as const
    for (const other of [{ state: 'running' }, { stage: 'notice' }, { attempt: 2 }, { node: 'two' }] as const)
      expect(await store.write({ runs: [{ from: { ...run('a', '1'), ...other }, to }] })).to.equal(false)
    expect(await store.run('1')).to.deep.equal(run('a', '1'))
    expect(await store.write({ runs: [{ from: run('a', '1'), to }] })).to.equal(true)
    expect(await store.write({ runs: [{ from: run('a', '1'), to }] })).to.equal(false)
    expect(await store.write({ runs: [{ from: run('b', '2'), to }] })).to.equal(false)
  })

  it('lets one of several concurrent changes of a run win', async () => {
    const store = await open()
    await add(store, [run('a', '1')])
    const won = await Promise.all(
      ['one', 'two', 'three'].map((node) =>
        store.write({ runs: [{ from: run('a', '1'), to: { state: 'running', node } }] }),
      ),
    )
    expect(won.filter(Boolean)).to.have.length(1)
    expect((await store.run('1'))?.node).to.equal(['one', 'two', 'three'][won.indexOf(true)])
  })

  it('changes and removes a job only in the revision that the change starts from', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    const change = (label: string) => store.write({ changes: [{ from: job('a'), to: { label } }] })
    expect(await Promise.all([change('one'), change('two')])).to.deep.equal([true, false])
    expect(await store.job('a')).to.include({ label: 'one', revision: 1 })
    expect(await store.write({ removed: [job('a')] })).to.equal(false)
    expect(await store.write({ removed: [{ id: 'a', revision: 1 }] })).to.equal(true)
    expect(await change('three')).to.equal(false)
    expect(await store.job('a')).to.equal(undefined)
  })

  it('changes all rows or none', async () => {
    const store = await open()
    await add(store, [run('a', '1')], [job('a'), job('b')])
    const runs = [{ from: run('a', '1'), to: { state: 'running' } as const }]
    const stale = { id: 'b', revision: 3 }
    expect(await store.write({ runs, removed: [job('a'), stale], added: [run('a', '2')] })).to.equal(false)
    expect(await store.write({ runs, changes: [{ from: stale, to: { label: 'x' } }] })).to.equal(false)
    expect(await store.write({ runs, jobs: [job('b')] })).to.equal(false)
    expect((await store.runs('a', { limit: 5 })).map(({ state }) => state)).to.deep.equal(['queued'])
    expect(await store.jobs(undefined, 5)).to.deep.equal([job('a'), job('b')])
  })

  it('claims a slot once and reports which runs were added', async () => {
    const store = await open()
    expect(await store.claim([{ runs: [run('a', '1')] }])).to.deep.equal([[true]])
    expect(
      await store.claim([{ runs: [run('a', '1', 'x'), run('a', '2')] }, { runs: [run('b', '1', 'y')] }]),
    ).to.deep.equal([[false, true], [true]])
    expect((await store.findRun('a', '1'))?.id).to.equal('1')
    expect(await store.run('x')).to.equal(undefined)
    expect(await store.findRun('a', '3')).to.equal(undefined)
  })

  it('claims the slots of a job only in the revision that the claim starts from', async () => {
    const store = await open()
    await store.write({ jobs: [job('a'), job('b')] })
    const claims = ['a', 'b'].map((id) => ({
      runs: [run(id, `${id}1`)],
      change: { from: job(id), to: { nextRunAt: null } },
    }))
    await store.write({ changes: [{ from: job('a'), to: { enabled: false } }] })
    expect(await store.claim(claims)).to.deep.equal([undefined, [true]])
    expect(await store.run('a1')).to.equal(undefined)
    expect((await store.job('a'))?.nextRunAt).to.equal(job('a').nextRunAt)
    expect(await store.job('b')).to.include({ nextRunAt: null, revision: 1 })
  })

  it('adds a new job with its first run, and not with a taken slot', async () => {
    const store = await open()
    expect(await store.claim([{ runs: [run('a', '1')], job: job('a') }])).to.deep.equal([[true]])
    expect((await store.job('a'))?.id).to.equal('a')
    await store.write({ removed: [job('a')] })
    expect(await store.claim([{ runs: [run('a', '1', 'x')], job: job('a') }])).to.deep.equal([[false]])
    expect(await store.job('a')).to.equal(undefined)
  })

  it('removes a job and keeps its runs', async () => {
    const store = await open()
    await add(store, [run('a', '1')], [job('a')])
    await store.write({ removed: [job('a')] })
    expect(await store.job('a')).to.equal(undefined)
    expect((await store.runs('a', { limit: 5 })).map(({ id }) => id)).to.deep.equal(['1'])
  })

  it('adds and removes 1,200 jobs at once', async () => {
    const store = await open()
    const jobs = Array.from({ length: 1_200 }, (_, n) => job(`job-${String(n).padStart(4, '0')}`))
    expect(await store.write({ jobs })).to.equal(true)
    expect(await store.jobs(undefined, 2_000)).to.have.length(1_200)
    expect(await store.write({ removed: [...jobs, job('absent')] })).to.equal(false)
    expect(await store.write({ removed: jobs })).to.equal(true)
    expect(await store.jobs(undefined, 1)).to.deep.equal([])
  })

  it('deletes slots that a clock ahead has skipped and that are still to come', async () => {
    const store = await open()
    const skipped = (slot: number, createdAt: number, more: Partial<StoredRun> = {}): StoredRun => ({
      ...run('a', String(slot), String(slot), createdAt),
      state: 'skipped',
      stage: 'ended',
      ...more,
    })
    // The memory store keeps a bounded number of runs for each job.
    const ahead = Array.from({ length: 1_200 }, (_, n) =>
      skipped(NOW + 1_000 + n, NOW + DAY_MS, { jobId: `many-${n % 20}` }),
    )
    await add(store, [
      ...ahead,
      skipped(NOW - 1_000, NOW + DAY_MS),
      skipped(NOW + 5_000, NOW - 1_000),
      skipped(NOW + 6_000, NOW + DAY_MS, { startedAt: NOW + DAY_MS }),
      skipped(NOW + 7_000, NOW + DAY_MS, { state: 'ok' }),
      skipped(NOW + 8_000, NOW + DAY_MS, { slot: 'event:1' }),
    ])
    expect((await store.dropSkippedAhead(NOW)).map(({ id }) => id).sort()).to.deep.equal(ahead.map(({ id }) => id))
    expect(
      (await store.runs('a', { limit: 2_000 })).map(({ id }) => Number(id) - NOW).sort((a, b) => a - b),
    ).to.deep.equal([-1_000, 5_000, 6_000, 7_000, 8_000])
    expect(await store.claim([{ runs: [run('many-0', String(NOW + 1_000), 'again')] }])).to.deep.equal([[true]])
  })

  it('returns the greatest id of a run', async () => {
    const store = await open()
    expect(await store.lastRunId()).to.equal(undefined)
    await add(store, [run('a', '1', 'b'), run('b', '2', 'c'), run('a', '3', 'a')])
    expect(await store.lastRunId()).to.equal('c')
  })

  it('returns runs of a job in pages, newest first', async () => {
    const store = await open()
    await add(
      store,
      ['1', '2', '3'].map((slot) => run('a', slot)),
    )
    await add(store, [run('b', '4')])
    expect((await store.runs('a', { limit: 2 })).map(({ id }) => id)).to.deep.equal(['3', '2'])
    expect((await store.runs('a', { limit: 2, before: '2' })).map(({ id }) => id)).to.deep.equal(['1'])
  })

  it('returns the runs that have not ended, oldest first', async () => {
    const store = await open()
    await add(store, [run('a', '1'), ended('a', '2'), { ...run('b', '3'), stage: 'notice' }])
    expect((await store.openRuns()).map(({ id }) => id)).to.deep.equal(['1', '3'])
  })

  it('prunes ended runs older than the limit and keeps open ones', async () => {
    const store = await open()
    await add(store, [ended('a', '1', NOW - 2 * DAY_MS), run('a', '2', '2', NOW - 2 * DAY_MS), ended('a', '3')])
    await store.prune({ before: NOW - DAY_MS, keep: 10, jobs: ['a'], eventsSince: NOW - DAY_MS })
    expect((await store.runs('a', { limit: 5 })).map(({ id }) => id)).to.deep.equal(['3', '2'])
  })

  it('prunes runs beyond the newest ones, except for recent events', async () => {
    const store = await open()
    await add(store, [
      { ...ended('a', '1'), slot: 'event:recent' },
      { ...ended('a', '2', NOW - 2 * DAY_MS), slot: 'event:old' },
      ended('a', '3'),
      ended('a', '4'),
      ended('a', '5'),
    ])
    await store.prune({ before: 0, keep: 2, jobs: ['a'], eventsSince: NOW - DAY_MS })
    expect((await store.runs('a', { limit: 5 })).map(({ id }) => id)).to.deep.equal(['5', '4', '1'])
  })

  it('frees the slot of a pruned run', async () => {
    const store = await open()
    await add(store, [ended('a', '1', NOW - 2 * DAY_MS)])
    await store.prune({ before: NOW, keep: 10, jobs: [], eventsSince: NOW })
    expect(await store.claim([{ runs: [run('a', '1', '2')] }])).to.deep.equal([[true]])
  })
}

describe('MemoryJobs', () => {
  jobStoreContract(() => Promise.resolve(new MemoryJobs(() => {})))
})

onEverySystem('DatabaseJobs', (open) => {
  jobStoreContract(async () => {
    const { store: database } = await open()
    await database.contribute([JobRows, RunRows])
    return new DatabaseJobs(database)
  })

  it('publishes the event of a run with its commit, and none for a change that was not made', async () => {
    const { store: database } = await open()
    await database.contribute([JobRows, RunRows])
    const states: unknown[] = []
    const stopListening = database.listen((events) => {
      for (const { json } of events) states.push((JSON.parse(json) as { state: string }).state)
    })
    const store = new DatabaseJobs(database)
    await store.claim([{ runs: [run('a', '1')], job: job('a') }])
    const ended = { ...run('a', '1'), state: 'ok', stage: 'ended' } as const
    const write = { runs: [{ from: run('a', '1'), to: { state: 'ok', stage: 'ended' } }], events: [ended] } as const
    await store.write({ ...write, removed: [{ id: 'a', revision: 7 }] })
    await store.claim([{ runs: [run('a', '1', 'x')] }])
    expect(states).to.deep.equal(['queued'])
    await store.write({ ...write, removed: [job('a')] })
    await store.write(write)
    expect(states).to.deep.equal(['queued', 'ok'])
    stopListening()
  })
})
