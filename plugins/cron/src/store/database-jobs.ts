import { jobs as contract } from '@mynah/contract'
import { step, type Database, type Reads, type Writes } from '@mynah/database-api'
import { event } from '@mynah/plugin-events/api'
import { fromJobRow, fromRunRow, JobRows, RunRows, toJobChange, toJobRow, toRunChange, toRunRow } from './records.js'
import {
  EVENT_SLOT_PREFIX,
  isSkippedAhead,
  runView,
  type Claim,
  type JobStore,
  type JobVersion,
  type JobWrite,
  type PruneLimits,
  type RunChange,
  type RunPage,
  type RunVersion,
  type StoredJob,
  type StoredRun,
} from './types.js'

/** Rows that one statement reads or deletes. */
const BATCH = 500

/** Rolls a transaction back in which a row was not as expected. */
class RowChanged extends Error {}

const runEvent = (run: StoredRun) => event(contract.events, 'job:run', runView(run))
const versionOf = ({ state, stage, attempt, node }: RunVersion) => ({ state, stage, attempt, node })

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

  async claim(claims: readonly Claim[]): Promise<readonly (readonly boolean[] | undefined)[]> {
    const [only] = claims
    if (only && claims.length === 1 && !only.change && !only.job)
      return [await this.#database.appendNew(RunRows, only.runs.map(toRunRow), only.runs.map(runEvent))]
    return this.#database.tx(async (db) => {
      const holds: boolean[] = []
      for (const { change } of claims)
        holds.push(
          !change || isEach(await db.change(JobRows, [toJobChange(change)], { revision: change.from.revision })),
        )
      const held = claims.filter((_, index) => holds[index])
      const added = await addRuns(
        db,
        held.flatMap(({ runs }) => runs),
      )
      let at = 0
      const results = claims.map(({ runs }, index) => (holds[index] ? added.slice(at, (at += runs.length)) : undefined))
      const jobs = claims.flatMap(({ job }, index) => (job && results[index]?.[0] ? [toJobRow(job)] : []))
      if (jobs.length) await db.insertNew(JobRows, jobs)
      return results
    })
  }

  async write(change: JobWrite): Promise<boolean> {
    const single = singleRun(change)
    if (single) return this.#writeRun(single, change.events?.[0])
    try {
      await this.#database.tx((db) => writeAll(db, change))
      return true
    } catch (error) {
      if (error instanceof RowChanged) return false
      throw error
    }
  }

  /** Shares a commit with other writers. */
  async #writeRun(change: RunChange, run: StoredRun | undefined): Promise<boolean> {
    const row = step.change(RunRows, [toRunChange(change)], [run && runEvent(run)], versionOf(change.from))
    const [written = []] = await this.#database.write([row])
    return isEach(written)
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

  async lastRunId(): Promise<string | undefined> {
    const [row] = await this.#database.read((db) => db.find(RunRows, { order: { id: 'desc' }, limit: 1 }))
    return row?.id
  }

  dropSkippedAhead(now: number): Promise<readonly StoredRun[]> {
    return this.#database.tx(async (db) => {
      const found: StoredRun[] = []
      for (let page = await skippedAfter(db, now, ''); page.length;) {
        found.push(...page.filter((run) => isSkippedAhead(run, now)))
        page = page.length < BATCH ? [] : await skippedAfter(db, now, (page.at(-1) as StoredRun).id)
      }
      for (const ids of inBatches(found.map(({ id }) => id))) await db.delete(RunRows, { id: { $in: ids } })
      return found
    })
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

/** Returns the change when it is one run and nothing else, which needs no transaction. */
function singleRun({ jobs, changes, removed, runs, added, events }: JobWrite): RunChange | undefined {
  if (jobs?.length || changes?.length || removed?.length || added?.length) return undefined
  return runs?.length === 1 && (events?.length ?? 0) <= 1 ? runs[0] : undefined
}

/** @throws RowChanged when a row is not as the change expects */
async function writeAll(db: Writes, { jobs, changes, removed, runs, added, events }: JobWrite): Promise<void> {
  for (const change of runs ?? [])
    expectRow(isEach(await db.change(RunRows, [toRunChange(change)], versionOf(change.from))))
  for (const change of changes ?? [])
    expectRow(isEach(await db.change(JobRows, [toJobChange(change)], { revision: change.from.revision })))
  if (removed?.length) await removeJobs(db, removed)
  if (jobs?.length) expectRow(isEach(await db.insertNew(JobRows, jobs.map(toJobRow))))
  if (added?.length) await addRuns(db, added)
  for (const run of events ?? []) db.announce(runEvent(run))
}

/** Adds the runs whose slot is free, and publishes them. */
async function addRuns(db: Writes, runs: readonly StoredRun[]): Promise<readonly boolean[]> {
  const added = runs.length ? await db.insertNew(RunRows, runs.map(toRunRow)) : []
  for (const [index, run] of runs.entries()) if (added[index]) db.announce(runEvent(run))
  return added
}

async function removeJobs(db: Writes, jobs: readonly JobVersion[]): Promise<void> {
  const byRevision = new Map<number, string[]>()
  for (const { id, revision } of jobs) byRevision.set(revision, [...(byRevision.get(revision) ?? []), id])
  for (const [revision, ids] of byRevision)
    for (const batch of inBatches(ids))
      expectRow((await db.delete(JobRows, { id: { $in: batch }, revision })) === batch.length)
}

async function skippedAfter(db: Reads, now: number, id: string): Promise<StoredRun[]> {
  const where = { id: { $gt: id }, created_at: { $gt: now }, state: 'skipped' }
  return (await db.find(RunRows, { where, order: { id: 'asc' }, limit: BATCH })).map(fromRunRow)
}

/** A condition takes a bounded list of values. */
function inBatches<T>(values: readonly T[]): T[][] {
  const batches: T[][] = []
  for (let from = 0; from < values.length; from += BATCH) batches.push(values.slice(from, from + BATCH))
  return batches
}

const isEach = (written: readonly boolean[]): boolean => written.every(Boolean)

function expectRow(isAsExpected: boolean): void {
  if (!isAsExpected) throw new RowChanged('a row has changed')
}
