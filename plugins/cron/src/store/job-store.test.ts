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
const run = (jobId: string, slot: string, id = slot, createdAt = NOW): StoredRun => newRun(jobId, slot, createdAt, id)
const ended = (jobId: string, slot: string, createdAt = NOW): StoredRun => ({
  ...run(jobId, slot, slot, createdAt),
  state: 'ok',
  stage: 'ended',
})

/** Tests the behaviour of every job store. */
function jobStoreContract(open: () => Promise<JobStore>): void {
  it('returns a job as it was added', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    expect(await store.job('a')).to.deep.equal(job('a'))
    expect(await store.job('b')).to.equal(undefined)
  })

  it('leaves an existing job unchanged when it is added again', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    await store.write({ jobs: [{ ...job('a'), label: 'other' }] })
    expect((await store.job('a'))?.label).to.equal('label of a')
  })

  it('returns jobs in pages ordered by id', async () => {
    const store = await open()
    await store.write({ jobs: ['c', 'a', 'b'].map(job) })
    expect((await store.jobs(undefined, 2)).map(({ id }) => id)).to.deep.equal(['a', 'b'])
    expect((await store.jobs('b', 2)).map(({ id }) => id)).to.deep.equal(['c'])
  })

  it('changes the given fields of a job and of a run', async () => {
    const store = await open()
    await store.claim([run('a', '1')], { jobs: [job('a')] })
    await store.write({
      changes: [{ id: 'a', nextRunAt: 5, lastStatus: 'error', recent: [{ slot: '1', state: 'error' }], failures: 2 }],
      runs: [{ id: '1', state: 'error', stage: 'ended', error: 'broken', finishedAt: 7 }],
    })
    expect(await store.job('a')).to.deep.equal({
      ...job('a'),
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
      finishedAt: 7,
    })
  })

  it('claims a slot once and reports which runs were added', async () => {
    const store = await open()
    expect(await store.claim([run('a', '1')])).to.deep.equal([true])
    expect(await store.claim([run('a', '1', 'x'), run('a', '2'), run('b', '1', 'y')])).to.deep.equal([
      false,
      true,
      true,
    ])
    expect((await store.findRun('a', '1'))?.id).to.equal('1')
    expect(await store.run('x')).to.equal(undefined)
    expect(await store.findRun('a', '3')).to.equal(undefined)
  })

  it('applies a change together with a claim', async () => {
    const store = await open()
    await store.write({ jobs: [job('a')] })
    await store.claim([run('a', '1')], { jobs: [job('b')], changes: [{ id: 'a', nextRunAt: null }] })
    expect((await store.job('a'))?.nextRunAt).to.equal(null)
    expect((await store.job('b'))?.id).to.equal('b')
  })

  it('removes a job and keeps its runs', async () => {
    const store = await open()
    await store.claim([run('a', '1')], { jobs: [job('a')] })
    await store.write({ removed: ['a'] })
    expect(await store.job('a')).to.equal(undefined)
    expect((await store.runs('a', { limit: 5 })).map(({ id }) => id)).to.deep.equal(['1'])
  })

  it('returns runs of a job in pages, newest first', async () => {
    const store = await open()
    await store.claim(['1', '2', '3'].map((slot) => run('a', slot)))
    await store.claim([run('b', '4')])
    expect((await store.runs('a', { limit: 2 })).map(({ id }) => id)).to.deep.equal(['3', '2'])
    expect((await store.runs('a', { limit: 2, before: '2' })).map(({ id }) => id)).to.deep.equal(['1'])
  })

  it('returns the runs that have not ended, oldest first', async () => {
    const store = await open()
    await store.claim([run('a', '1'), ended('a', '2'), { ...run('b', '3'), stage: 'notice' }])
    expect((await store.openRuns()).map(({ id }) => id)).to.deep.equal(['1', '3'])
  })

  it('prunes ended runs older than the limit and keeps open ones', async () => {
    const store = await open()
    await store.claim([ended('a', '1', NOW - 2 * DAY_MS), run('a', '2', '2', NOW - 2 * DAY_MS), ended('a', '3')])
    await store.prune({ before: NOW - DAY_MS, keep: 10, jobs: ['a'], eventsSince: NOW - DAY_MS })
    expect((await store.runs('a', { limit: 5 })).map(({ id }) => id)).to.deep.equal(['3', '2'])
  })

  it('prunes runs beyond the newest ones, except for recent events', async () => {
    const store = await open()
    await store.claim([
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
    await store.claim([ended('a', '1', NOW - 2 * DAY_MS)])
    await store.prune({ before: NOW, keep: 10, jobs: [], eventsSince: NOW })
    expect(await store.claim([run('a', '1', '2')])).to.deep.equal([true])
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
})
