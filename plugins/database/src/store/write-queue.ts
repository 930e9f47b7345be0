import type { Writes } from '../api.js'
import type { Draft } from './announcements.js'

/** A write in the queue. */
export interface WriteJob<T> {
  /** True for one statement without events, which needs no transaction. */
  readonly bare: boolean
  run(db: Writes, announce: (draft: Draft) => void): Promise<T>
}

/** Runs a job within its turn. */
export type RunJob = <T>(work: WriteJob<T>) => Promise<T>

/** A queue of writes, which are committed in the order of the calls. */
export interface WriteQueue {
  /** The job that was enqueued last, compared by identity. */
  readonly latest: unknown
  /** Enqueues `job`, which may run one transaction or several. Rejects while the database is unavailable. */
  enqueue<T>(job: (perform: RunJob) => Promise<T>): Promise<T>
}
