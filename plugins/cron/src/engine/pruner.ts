// When runs of long ago are removed: now and then after a run, and once a day.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { KEPT_DAYS, MAX_KEPT, type JobStore } from '../store/types.js'

const DAY_MS = 86_400_000
/** Runs of a job after which it is looked whether there are too many. */
const PRUNE_EVERY = 50

interface Deps {
  readonly store: JobStore
  readonly clock: Clock
  readonly log: Logger
}

export class Pruner {
  readonly #deps: Deps
  /** Runs of a job since it was looked at. */
  readonly #ended = new Map<string, number>()
  #prunedAt = -Infinity

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** A run of a job has ended; `isGone` where the job ended with it. */
  hasEnded(job: string, isGone: boolean): void {
    const { store, clock, log } = this.#deps
    const count = (this.#ended.get(job) ?? 0) + 1
    const now = clock.now()
    const isOld = now - this.#prunedAt > DAY_MS
    this.#ended.set(job, count % PRUNE_EVERY)
    if (isGone) this.#ended.delete(job)
    if (count < PRUNE_EVERY && !isOld) return
    if (isOld) this.#prunedAt = now
    void store
      .prune({ before: now - KEPT_DAYS * DAY_MS, keep: MAX_KEPT, jobs: [job], eventsSince: now - DAY_MS })
      .catch((error: unknown) => log.debug(`old runs were not removed: ${messageOf(error)}`))
  }
}
