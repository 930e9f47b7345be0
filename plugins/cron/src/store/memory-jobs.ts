// Jobs and runs in memory, for a host without a database: they end with it.
import {
  EVENT_SLOT,
  MAX_IN_MEMORY,
  MAX_KEPT,
  type Change,
  type JobStore,
  type Prune,
  type RunPage,
  type StoredJob,
  type StoredRun,
} from './types.js'

const DAY_MS = 86_400_000
/** Oldest runs among which one that may go is looked for: in a storm of events there may be none, and each new run would look at all. */
const LOOKED_AT = 16

export class MemoryJobs implements JobStore {
  readonly durable = false
  readonly #jobs = new Map<string, StoredJob>()
  /** Runs by job, oldest first. */
  readonly #runs = new Map<string, StoredRun[]>()
  readonly #byId = new Map<string, StoredRun>()
  readonly #bySlot = new Map<string, string>()
  readonly #told: (run: StoredRun) => void

  constructor(told: (run: StoredRun) => void) {
    this.#told = told
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

  take(runs: readonly StoredRun[], change: Change = {}): Promise<readonly boolean[]> {
    const added = runs.map((run) => {
      const slot = slotOf(run.job_id, run.slot)
      if (this.#bySlot.has(slot)) return false
      this.#bySlot.set(slot, run.id)
      this.#byId.set(run.id, run)
      const mine = this.#runs.get(run.job_id) ?? []
      this.#runs.set(run.job_id, mine)
      mine.push(run)
      // One by one, so that a storm of runs is bounded while it lasts.
      const old =
        mine.length > MAX_KEPT
          ? mine.slice(0, LOOKED_AT).findIndex((known) => this.#mayGo(known, run.created_at - DAY_MS))
          : -1
      if (old >= 0) this.#forget(mine.splice(old, 1))
      if (this.#byId.size > MAX_IN_MEMORY) this.#forgetOldest()
      return true
    })
    this.#apply({ ...change, events: runs.filter((_, index) => added[index]) })
    return Promise.resolve(added)
  }

  write(change: Change): Promise<void> {
    this.#apply(change)
    return Promise.resolve()
  }

  run(id: string): Promise<StoredRun | undefined> {
    return Promise.resolve(this.#byId.get(id))
  }

  runOf(job: string, slot: string): Promise<StoredRun | undefined> {
    const id = this.#bySlot.get(slotOf(job, slot))
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

  open(): Promise<readonly StoredRun[]> {
    return Promise.resolve(Array.from(this.#byId.values()).filter(({ stage }) => stage !== 'ended'))
  }

  prune({ before, keep, eventsSince }: Prune): Promise<void> {
    for (const [job, runs] of this.#runs) {
      const gone = new Set(
        runs.filter(
          (run, index) => this.#mayGo(run, eventsSince) && (run.created_at < before || index < runs.length - keep),
        ),
      )
      this.#forget(gone)
      const left = runs.filter((run) => !gone.has(run))
      if (left.length) this.#runs.set(job, left)
      else this.#runs.delete(job)
    }
    return Promise.resolve()
  }

  #mayGo({ id, slot, created_at }: StoredRun, eventsSince: number): boolean {
    return this.#byId.get(id)?.stage === 'ended' && !(slot.startsWith(EVENT_SLOT) && created_at >= eventsSince)
  }

  #forgetOldest(): void {
    for (const run of this.#byId.values()) {
      if (run.stage !== 'ended') continue
      const left = (this.#runs.get(run.job_id) ?? []).filter(({ id }) => id !== run.id)
      if (left.length) this.#runs.set(run.job_id, left)
      else this.#runs.delete(run.job_id)
      return this.#forget([run])
    }
  }

  #forget(runs: Iterable<StoredRun>): void {
    for (const { id, job_id, slot } of runs) {
      this.#byId.delete(id)
      this.#bySlot.delete(slotOf(job_id, slot))
    }
  }

  #apply({ jobs = [], changes = [], runs = [], events = [], removed = [] }: Change): void {
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
    for (const run of events) this.#told(run)
  }
}

const slotOf = (job: string, slot: string): string => JSON.stringify([job, slot])
