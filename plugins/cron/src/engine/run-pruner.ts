import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import { RETENTION_DAYS, MAX_RUNS_PER_JOB, type JobStore } from '../store/types.js'

/** Runs of a job between two prunes. */
const PRUNE_EVERY = 50

interface RunPrunerOptions {
  readonly store: JobStore
  readonly clock: Clock
  readonly log: Logger
}

/** Deletes old runs: after every 50 runs of a job, and once a day. */
export class RunPruner {
  readonly #options: RunPrunerOptions
  /** Runs by job since its last prune. */
  readonly #runsSincePrune = new Map<string, number>()
  #prunedAt = -Infinity

  constructor(options: RunPrunerOptions) {
    this.#options = options
  }

  /** Counts an ended run. `isGone` tells that its job was removed with it. */
  runEnded(job: string, isGone: boolean): void {
    const { store, clock, log } = this.#options
    const count = (this.#runsSincePrune.get(job) ?? 0) + 1
    const now = clock.now()
    const isOld = now - this.#prunedAt > DAY_MS
    this.#runsSincePrune.set(job, count % PRUNE_EVERY)
    if (isGone) this.#runsSincePrune.delete(job)
    if (count < PRUNE_EVERY && !isOld) return
    if (isOld) this.#prunedAt = now
    void store
      .prune({ before: now - RETENTION_DAYS * DAY_MS, keep: MAX_RUNS_PER_JOB, jobs: [job], eventsSince: now - DAY_MS })
      .catch((error: unknown) => log.debug(`failed to prune old runs: ${messageOf(error)}`))
  }
}
