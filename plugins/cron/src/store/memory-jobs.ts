import { DAY_MS } from '@mynah/kernel/util'
import {
  EVENT_SLOT_PREFIX,
  MAX_RUNS_IN_MEMORY,
  MAX_RUNS_PER_JOB,
  type JobWrite,
  type JobStore,
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

  claim(runs: readonly StoredRun[], change: JobWrite = {}): Promise<readonly boolean[]> {
    const added = runs.map((run) => {
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
      return true
    })
    this.#apply({ ...change, events: runs.filter((_, index) => added[index]) })
    return Promise.resolve(added)
  }

  write(change: JobWrite): Promise<void> {
    this.#apply(change)
    return Promise.resolve()
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
    for (const run of this.#byId.values()) {
      if (run.stage !== 'ended') continue
      const left = (this.#runs.get(run.jobId) ?? []).filter(({ id }) => id !== run.id)
      if (left.length) this.#runs.set(run.jobId, left)
      else this.#runs.delete(run.jobId)
      return this.#drop([run])
    }
  }

  #drop(runs: Iterable<StoredRun>): void {
    for (const { id, jobId, slot } of runs) {
      this.#byId.delete(id)
      this.#bySlot.delete(slotKey(jobId, slot))
    }
  }

  #apply({ jobs = [], changes = [], runs = [], events = [], removed = [] }: JobWrite): void {
    for (const job of jobs) if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, job)
    for (const change of changes) {
      const job = this.#jobs.get(change.id)
      if (job) this.#jobs.set(job.id, { ...job, ...change })
    }
    for (const change of runs) {
      const run = this.#byId.get(change.id)
      if (run) this.#byId.set(run.id, { ...run, ...change })
    }
    for (const id of removed) this.#jobs.delete(id)
    for (const run of events) this.#publish(run)
  }
}

const slotKey = (job: string, slot: string): string => JSON.stringify([job, slot])
