import type { Clock } from '@mynah/kernel'
import type { JobFields, JobStore, StoredJob } from '../store/types.js'
import { withoutPayload } from './job-factory.js'
import type { JobIndex } from './job-index.js'

/**
 * Changes jobs in the store and in the index. A change is computed from the job as it is known, and computed again when
 * its row has changed since.
 */
export class JobWriter {
  readonly #store: JobStore
  readonly #index: JobIndex
  readonly #clock: Clock

  constructor(store: JobStore, index: JobIndex, clock: Clock) {
    this.#store = store
    this.#index = index
    this.#clock = clock
  }

  /**
   * @param compute returns the changes, or `undefined` to leave the job as it is
   * @returns the changed job, or `undefined` when it does not exist
   */
  async change(id: string, compute: (job: StoredJob) => JobFields | undefined): Promise<StoredJob | undefined> {
    for (let job = this.#index.get(id); job; job = await this.refresh(id)) {
      const to = compute(job)
      if (!to) return job
      if (await this.#store.write({ changes: [{ from: job, to }] })) return this.changed(job, to)
    }
    return undefined
  }

  /** Shows in the index that a change of a job was committed. */
  changed(job: StoredJob, to: JobFields): StoredJob {
    const changed = { ...job, ...to, revision: job.revision + 1 }
    // The job may have been removed meanwhile.
    if (this.#index.get(job.id)) this.#index.set(changed)
    return changed
  }

  /** Reads a job whose row has changed. Returns `undefined` when it does not exist any more. */
  async refresh(id: string): Promise<StoredJob | undefined> {
    const known = this.#index.get(id)
    const stored = await this.#store.job(id)
    if (stored) this.#index.load(withoutPayload(stored), this.#clock.now())
    // One that was added since the row was read stays.
    else if (this.#index.get(id) === known) this.#index.delete(id)
    return this.#index.get(id)
  }
}
