import { DAY_MS } from '@mynah/kernel/util'
import {
  EVENT_SLOT_PREFIX,
  isSkippedAhead,
  isVersion,
  MAX_RUNS_IN_MEMORY,
  MAX_RUNS_PER_JOB,
  type Claim,
  type JobChange,
  type JobStore,
  type JobVersion,
  type JobWrite,
  type PruneLimits,
  type RunPage,
  type StoredJob,
  type StoredRun,
} from './types.js'

/** Oldest runs of a job that are considered for eviction. The bound keeps a burst of events from scanning all. */
const EVICTION_CANDIDATES = 16

/** Stores jobs and runs in memory, for a host without a database. */
export class MemoryJobs implements JobStore {
  readonly durable = false
  readonly #jobs = new Map<string, StoredJob>()
  /** Runs by job, oldest first. */
  readonly #runs = new Map<string, StoredRun[]>()
  readonly #byId = new Map<string, StoredRun>()
  readonly #bySlot = new Map<string, string>()
  readonly #publish: (run: StoredRun) => void

  /** @param publish called with each run to publish as an event */
  constructor(publish: (run: StoredRun) => void) {
    this.#publish = publish
  }

  jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]> {
    const later = Array.from(this.#jobs.keys())
      .filter((id) => after === undefined || id > after)
      .sort()
    return Promise.resolve(later.slice(0, limit).map((id) => this.#jobs.get(id) as StoredJob))
  }

  job(id: string): Promise<StoredJob | undefined> {
    return Promise.resolve(this.#jobs.get(id))
  }

  claim(claims: readonly Claim[]): Promise<readonly (readonly boolean[] | undefined)[]> {
    const results = claims.map(({ runs, change, job }) => {
      if (change && !this.#isCurrent(change.from)) return undefined
      if (change) this.#changeJob(change)
      const added = runs.map((run) => this.#add(run))
      if (job && added[0] && !this.#jobs.has(job.id)) this.#jobs.set(job.id, job)
      return added
    })
    return Promise.resolve(results)
  }

  write(change: JobWrite): Promise<boolean> {
    const { jobs = [], changes = [], removed = [], runs = [], added = [], events = [] } = change
    if (!this.#holds(change)) return Promise.resolve(false)
    for (const job of jobs) this.#jobs.set(job.id, job)
    for (const one of changes) this.#changeJob(one)
    for (const { from, to } of runs) this.#byId.set(from.id, { ...(this.#byId.get(from.id) as StoredRun), ...to })
    for (const { id } of removed) this.#jobs.delete(id)
    for (const run of added) this.#add(run)
    for (const run of events) this.#publish(run)
    return Promise.resolve(true)
  }

  run(id: string): Promise<StoredRun | undefined> {
    return Promise.resolve(this.#byId.get(id))
  }

  findRun(job: string, slot: string): Promise<StoredRun | undefined> {
    const id = this.#bySlot.get(slotKey(job, slot))
    return Promise.resolve(id === undefined ? undefined : this.#byId.get(id))
  }

  runs(job: string, { limit, before }: RunPage): Promise<readonly StoredRun[]> {
    const mine = (this.#runs.get(job) ?? []).filter(({ id }) => before === undefined || id < before)
    return Promise.resolve(
      mine
        .slice(-limit)
        .reverse()
        .map(({ id }) => this.#byId.get(id) as StoredRun),
    )
  }

  openRuns(): Promise<readonly StoredRun[]> {
    return Promise.resolve(Array.from(this.#byId.values()).filter(({ stage }) => stage !== 'ended'))
  }

  lastRunId(): Promise<string | undefined> {
    let last: string | undefined
    for (const id of this.#byId.keys()) if (last === undefined || id > last) last = id
    return Promise.resolve(last)
  }

  dropSkippedAhead(now: number): Promise<readonly StoredRun[]> {
    const found = Array.from(this.#byId.values()).filter((run) => isSkippedAhead(run, now))
    for (const run of found) this.#remove(run)
    return Promise.resolve(found)
  }

  prune({ before, keep, eventsSince }: PruneLimits): Promise<void> {
    for (const [job, runs] of this.#runs) {
      const gone = new Set(
        runs.filter(
          (run, index) => this.#isPrunable(run, eventsSince) && (run.createdAt < before || index < runs.length - keep),
        ),
      )
      this.#drop(gone)
      const left = runs.filter((run) => !gone.has(run))
      if (left.length) this.#runs.set(job, left)
      else this.#runs.delete(job)
    }
    return Promise.resolve()
  }

  #isPrunable({ id, slot, createdAt }: StoredRun, eventsSince: number): boolean {
    return this.#byId.get(id)?.stage === 'ended' && !(slot.startsWith(EVENT_SLOT_PREFIX) && createdAt >= eventsSince)
  }

  #dropOldest(): void {
    for (const run of this.#byId.values()) if (run.stage === 'ended') return this.#remove(run)
  }

  #remove(run: StoredRun): void {
    const left = (this.#runs.get(run.jobId) ?? []).filter(({ id }) => id !== run.id)
    if (left.length) this.#runs.set(run.jobId, left)
    else this.#runs.delete(run.jobId)
    this.#drop([run])
  }

  #drop(runs: Iterable<StoredRun>): void {
    for (const { id, jobId, slot } of runs) {
      this.#byId.delete(id)
      this.#bySlot.delete(slotKey(jobId, slot))
    }
  }

  #isCurrent({ id, revision }: JobVersion): boolean {
    return this.#jobs.get(id)?.revision === revision
  }

  /** Whether all rows are as the change expects. */
  #holds({ jobs = [], changes = [], removed = [], runs = [] }: JobWrite): boolean {
    const isAsSeen = runs.every(({ from }) => {
      const run = this.#byId.get(from.id)
      return run !== undefined && isVersion(run, from)
    })
    return (
      isAsSeen &&
      changes.every(({ from }) => this.#isCurrent(from)) &&
      removed.every((job) => this.#isCurrent(job)) &&
      jobs.every(({ id }) => !this.#jobs.has(id))
    )
  }

  #changeJob({ from: { id, revision }, to }: JobChange): void {
    this.#jobs.set(id, { ...(this.#jobs.get(id) as StoredJob), ...to, revision: revision + 1 })
  }

  /** Adds and publishes a run when its slot is free. */
  #add(run: StoredRun): boolean {
    const slot = slotKey(run.jobId, run.slot)
    if (this.#bySlot.has(slot)) return false
    this.#bySlot.set(slot, run.id)
    this.#byId.set(run.id, run)
    const mine = this.#runs.get(run.jobId) ?? []
    this.#runs.set(run.jobId, mine)
    mine.push(run)
    // Evict with each added run, so that a burst of runs stays bounded while it lasts.
    const old =
      mine.length > MAX_RUNS_PER_JOB
        ? mine.slice(0, EVICTION_CANDIDATES).findIndex((known) => this.#isPrunable(known, run.createdAt - DAY_MS))
        : -1
    if (old >= 0) this.#drop(mine.splice(old, 1))
    if (this.#byId.size > MAX_RUNS_IN_MEMORY) this.#dropOldest()
    this.#publish(run)
    return true
  }
}

const slotKey = (job: string, slot: string): string => JSON.stringify([job, slot])
