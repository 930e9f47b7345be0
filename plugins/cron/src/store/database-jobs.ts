import { jobs as contract } from '@mynah/contract'
import { step, type Database, type Step } from '@mynah/plugin-database/api'
import { event } from '@mynah/plugin-events/api'
import { fromJobRow, fromRunRow, JobRows, RunRows, toJobChange, toJobRow, toRunChange, toRunRow } from './records.js'
import {
  EVENT_SLOT_PREFIX,
  runView,
  type JobStore,
  type JobWrite,
  type PruneLimits,
  type RunPage,
  type StoredJob,
  type StoredRun,
} from './types.js'

/** Rows that one statement deletes. */
const BATCH = 500

const runEvent = (run: StoredRun) => event(contract.events, 'job:run', runView(run))

/** Stores jobs and runs in the database. Events are published in the commit of their change. */
export class DatabaseJobs implements JobStore {
  readonly durable = true
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]> {
    const where = after === undefined ? {} : { where: { id: { $gt: after } } }
    const rows = await this.#database.read((db) => db.find(JobRows, { ...where, order: { id: 'asc' }, limit }))
    return rows.map(fromJobRow)
  }

  async job(id: string): Promise<StoredJob | undefined> {
    const row = await this.#database.read((db) => db.findOne(JobRows, { id }))
    return row && fromJobRow(row)
  }

  async claim(runs: readonly StoredRun[], change: JobWrite = {}): Promise<readonly boolean[]> {
    const insert = step.appendNew(RunRows, runs.map(toRunRow), runs.map(runEvent))
    const [added = []] = await this.#commit([insert, ...stepsOf(change)], change.removed)
    return added
  }

  async write(change: JobWrite): Promise<void> {
    await this.#commit(stepsOf(change), change.removed)
  }

  /** Shares a commit with other writers, except for deletes, which need a transaction of their own. */
  #commit(steps: readonly Step[], removed: readonly string[] = []): Promise<readonly (readonly boolean[])[]> {
    if (removed.length === 0) return steps.length ? this.#database.write(steps) : Promise.resolve([])
    return this.#database.tx(async (tx) => {
      const results = steps.length ? await this.#database.write(steps) : []
      await tx.delete(JobRows, { id: { $in: removed } })
      return results
    })
  }

  async run(id: string): Promise<StoredRun | undefined> {
    const row = await this.#database.read((db) => db.findOne(RunRows, { id }))
    return row && fromRunRow(row)
  }

  async findRun(job: string, slot: string): Promise<StoredRun | undefined> {
    const row = await this.#database.read((db) => db.findOne(RunRows, { job_id: job, slot }))
    return row && fromRunRow(row)
  }

  async runs(job: string, { limit, before }: RunPage): Promise<readonly StoredRun[]> {
    const where = { job_id: job, ...(before === undefined ? {} : { id: { $lt: before } }) }
    const rows = await this.#database.read((db) => db.find(RunRows, { where, order: { id: 'desc' }, limit }))
    return rows.map(fromRunRow)
  }

  async openRuns(): Promise<readonly StoredRun[]> {
    const rows = await this.#database.read((db) =>
      db.find(RunRows, { where: { stage: { $ne: 'ended' } }, order: { id: 'asc' } }),
    )
    return rows.map(fromRunRow)
  }

  async prune({ before, keep, jobs, eventsSince }: PruneLimits): Promise<void> {
    const expired = `SELECT id FROM job_run WHERE created_at < $1 AND stage = 'ended' LIMIT ${BATCH}`
    for (;;) {
      const deleted = await this.#database.tx((tx) => tx.run(`DELETE FROM job_run WHERE id IN (${expired})`, [before]))
      if (deleted < BATCH) break
    }
    for (const job of jobs) await this.#pruneJob(job, keep, eventsSince)
  }

  async #pruneJob(job: string, keep: number, eventsSince: number): Promise<void> {
    const [newestExcess] = await this.#database.read((db) =>
      db.find(RunRows, { where: { job_id: job }, order: { id: 'desc' }, limit: 1, offset: keep }),
    )
    if (!newestExcess) return
    const recentEvent = `slot LIKE '${EVENT_SLOT_PREFIX}%' AND created_at >= $3`
    await this.#database.tx((tx) =>
      tx.run(`DELETE FROM job_run WHERE job_id = $1 AND id <= $2 AND stage = 'ended' AND NOT (${recentEvent})`, [
        job,
        newestExcess.id,
        eventsSince,
      ]),
    )
  }
}

/** Turns a change into database steps. The event of a run belongs to the step that changes the run. */
function stepsOf({ jobs = [], changes = [], runs = [], events = [] }: JobWrite): Step[] {
  const byRun = new Map(events.map((run) => [run.id, runEvent(run)]))
  return [
    ...(jobs.length ? [step.appendNew(JobRows, jobs.map(toJobRow))] : []),
    // One change per step, because all rows of a step must change the same columns.
    ...changes.map((change) => step.change(JobRows, [toJobChange(change)])),
    ...runs.map((change) => step.change(RunRows, [toRunChange(change)], [byRun.get(change.id)])),
  ]
}
