import { setImmediate } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import type { StoredRun } from '../store/types.js'
import type { Commits } from './commits.js'
import { planDue, type DuePlan } from './due-plan.js'
import { isTransient } from './failure.js'
import type { JobIndex } from './job-index.js'
import type { JobWriter } from './job-writer.js'
import type { EngineOptions } from './options.js'

/** Delay before the slots of a failed batch are taken again, in milliseconds. */
const RETRY_MS = 5_000
/** Jobs whose slots are taken in one step. */
const BATCH = 200

/** The runs of taken slots. */
export interface SlotRuns {
  /** Id of the engine in the rows of its runs. */
  readonly node: string
  isBusy(job: string): boolean
  /** Receives the runs that were stored. */
  added(runs: readonly StoredRun[]): void
}

/** The parts of the engine that a slot taker works with. */
export interface SlotTakerParts {
  readonly options: EngineOptions
  readonly index: JobIndex
  readonly jobs: JobWriter
  readonly commits: Commits
}

/** Claims a run for each slot that is due. The engine that adds the row runs the slot. */
export class SlotTaker {
  readonly #options: EngineOptions
  readonly #index: JobIndex
  readonly #jobs: JobWriter
  readonly #commits: Commits
  readonly #runs: SlotRuns

  constructor({ options, index, jobs, commits }: SlotTakerParts, runs: SlotRuns) {
    this.#options = options
    this.#index = index
    this.#jobs = jobs
    this.#commits = commits
    this.#runs = runs
  }

  async takeDue(now: number): Promise<void> {
    const ids = this.#index.due.take(now)
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH)
      try {
        await this.#takeBatch(batch, now)
      } catch (error) {
        // The jobs stay due.
        for (const id of batch) if (this.#index.get(id)?.enabled) this.#index.due.set(id, now + RETRY_MS)
        if (!isTransient(error)) this.#options.log.error(`failed to enqueue due runs: ${messageOf(error)}`)
      }
      // Yield between batches, because the memory store never waits.
      await setImmediate()
    }
  }

  async #takeBatch(ids: readonly string[], now: number): Promise<void> {
    const plans = ids.flatMap((id): DuePlan[] => {
      const job = this.#index.get(id)
      const timetable = this.#index.timetableOf(id)
      if (!job?.enabled || !timetable || job.nextRunAt === null) return []
      const moment = { now, isBusy: this.#runs.isBusy(id), node: this.#runs.node }
      return [planDue(job, timetable, job.nextRunAt, moment)]
    })
    if (plans.length === 0) return
    const claims = plans.map(({ job, runs, to }) => ({ runs, change: { from: job, to } }))
    const claimed = await this.#commits.answer(this.#options.store.claim(claims), {
      runs: plans.flatMap(({ runs }) => runs),
    })
    for (const [index, { job, runs, to }] of plans.entries()) {
      const added = claimed[index]
      if (!added) continue
      this.#jobs.changed(job, to)
      this.#runs.added(runs.filter((_, at) => added[at]))
    }
    // Another change of these jobs came first. They are due again as they are stored now.
    for (const [index, { job }] of plans.entries()) if (!claimed[index]) await this.#jobs.refresh(job.id)
  }
}
