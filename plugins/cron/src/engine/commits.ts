import { messageOf } from '@mynah/kernel'
import type { StoredRun } from '../store/types.js'
import type { EngineOptions } from './options.js'
import { whenAvailable } from './when-available.js'

/** The rows that a commit writes. */
export interface Touched {
  /** Ids of jobs that it adds, changes or removes. */
  readonly jobs?: readonly string[]
  /** Runs that it adds. Their jobs are read back with them. */
  readonly runs?: readonly StoredRun[]
}

/** Receives the rows of a commit whose answer was an error, as they are stored. */
export interface ReadBack {
  /** Shows a job in the index as it is stored. */
  refresh(job: string): Promise<unknown>
  /** Takes up a run that the commit has added. */
  found(run: StoredRun): Promise<void>
}

/**
 * Commits changes whose caller gets an error when the store does not answer. The store may have committed them all the
 * same, so their rows are read back when it is available again: a job is shown as it is stored, a run is taken up.
 */
export class Commits {
  readonly #options: EngineOptions
  readonly #readBack: ReadBack

  constructor(options: EngineOptions, readBack: ReadBack) {
    this.#options = options
    this.#readBack = readBack
  }

  /** Waits for a commit. */
  async answer<T>(commit: Promise<T>, touched: Touched): Promise<T> {
    try {
      return await commit
    } catch (error) {
      void this.#read(touched)
      throw error
    }
  }

  async #read({ jobs = [], runs = [] }: Touched): Promise<void> {
    const { store, signal, log } = this.#options
    try {
      for (const id of jobs) await whenAvailable(this.#options, () => this.#readBack.refresh(id))
      for (const { id } of runs) {
        const stored = await whenAvailable(this.#options, () => store.run(id))
        if (!stored) continue
        await whenAvailable(this.#options, () => this.#readBack.refresh(stored.jobId))
        await whenAvailable(this.#options, () => this.#readBack.found(stored))
      }
    } catch (error) {
      // The next start reads all rows.
      if (!signal.aborted) log.error(`failed to read back a commit without an answer: ${messageOf(error)}`, { jobs })
    }
  }
}
