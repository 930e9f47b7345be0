// Jobs and runs in the database; what happens to a run is told in the commit in which it happens.
import { jobs as contract } from '@mynah/contract'
import { step, type Database, type Step } from '@mynah/plugin-database/api'
import { event } from '@mynah/plugin-events/api'
import { JobRows, RunRows } from './tables.js'
import {
  EVENT_SLOT,
  runView,
  type Change,
  type JobStore,
  type Prune,
  type RunPage,
  type StoredJob,
  type StoredRun,
} from './types.js'

/** Rows that one statement deletes. */
const BATCH = 500

const told = (run: StoredRun) => event(contract.events, 'job:run', runView(run))

export class DatabaseJobs implements JobStore {
  readonly durable = true
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]> {
    return this.#database.read((db) =>
      db.find(JobRows, {
        ...(after === undefined ? {} : { where: { id: { $gt: after } } }),
        order: { id: 'asc' },
        limit,
      }),
    )
  }

  job(id: string): Promise<StoredJob | undefined> {
    return this.#database.read((db) => db.findOne(JobRows, { id }))
  }

  async take(runs: readonly StoredRun[], change: Change = {}): Promise<readonly boolean[]> {
    const done = await this.#commit([step.appendNew(RunRows, runs, runs.map(told)), ...stepsOf(change)], change.removed)
    return done[0] ?? []
  }

  async write(change: Change): Promise<void> {
    await this.#commit(stepsOf(change), change.removed)
  }

  /** In one commit with whatever others write; what goes takes a transaction of its own. */
  #commit(steps: readonly Step[], removed: readonly string[] = []): Promise<readonly (readonly boolean[])[]> {
    if (removed.length === 0) return steps.length ? this.#database.write(steps) : Promise.resolve([])
    return this.#database.tx(async (tx) => {
      const done = steps.length ? await this.#database.write(steps) : []
      await tx.delete(JobRows, { id: { $in: removed } })
      return done
    })
  }

  run(id: string): Promise<StoredRun | undefined> {
    return this.#database.read((db) => db.findOne(RunRows, { id }))
  }

  runOf(job: string, slot: string): Promise<StoredRun | undefined> {
    return this.#database.read((db) => db.findOne(RunRows, { job_id: job, slot }))
  }

  runs(job: string, { limit, before }: RunPage): Promise<readonly StoredRun[]> {
    return this.#database.read((db) =>
      db.find(RunRows, {
        where: { job_id: job, ...(before === undefined ? {} : { id: { $lt: before } }) },
        order: { id: 'desc' },
        limit,
      }),
    )
  }

  open(): Promise<readonly StoredRun[]> {
    return this.#database.read((db) => db.find(RunRows, { where: { stage: { $ne: 'ended' } }, order: { id: 'asc' } }))
  }

  async prune({ before, keep, jobs, eventsSince }: Prune): Promise<void> {
    for (;;) {
      const gone = await this.#database.tx((tx) =>
        tx.run(
          `DELETE FROM job_run WHERE id IN (SELECT id FROM job_run WHERE created_at < $1 AND stage = 'ended' LIMIT ${BATCH})`,
          [before],
        ),
      )
      if (gone < BATCH) break
    }
    for (const job of jobs) {
      const [edge] = await this.#database.read((db) =>
        db.find(RunRows, { where: { job_id: job }, order: { id: 'desc' }, limit: 1, offset: keep }),
      )
      if (edge)
        await this.#database.tx((tx) =>
          tx.run(
            `DELETE FROM job_run WHERE job_id = $1 AND id <= $2 AND stage = 'ended' AND NOT (slot LIKE '${EVENT_SLOT}%' AND created_at >= $3)`,
            [job, edge.id, eventsSince],
          ),
        )
    }
  }
}

/** Events go with the change of their run. */
function stepsOf({ jobs = [], changes = [], runs = [], events = [] }: Change): Step[] {
  const byRun = new Map(events.map((run) => [run.id, told(run)]))
  return [
    ...(jobs.length ? [step.appendNew(JobRows, jobs)] : []),
    // One a step: rows of a step change the same columns.
    ...changes.map((change) => step.change(JobRows, [change])),
    ...runs.map((change) => step.change(RunRows, [change], [byRun.get(change.id)])),
  ]
}
