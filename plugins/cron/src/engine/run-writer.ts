import { newId } from '@mynah/database-api'
import {
  isVersion,
  type JobFields,
  type JobWrite,
  type RunFields,
  type StoredJob,
  type StoredRun,
} from '../store/types.js'
import type { PendingNotice } from '../store/types.js'
import type { JobIndex } from './job-index.js'
import type { JobWriter } from './job-writer.js'
import type { EngineOptions } from './options.js'
import { jobAfter, type RunOutcome } from './outcome.js'
import { whenAvailable } from './when-available.js'

/** Thrown when another engine, or another part of this one, has changed the row of a run. */
export class RunLost extends Error {
  override readonly name = 'RunLost'
}

/** How a run ends. */
export interface RunEnd extends RunOutcome {
  /** Returns the messages about the end of the run. `to` is how the run changes its job. */
  readonly tell?: (job: StoredJob, to: JobFields) => PendingNotice | undefined
}

/**
 * Moves runs from step to step. Each step is a condition on the row: who did not change it does not act. Steps wait for
 * the store while it is unavailable.
 */
export class RunWriter {
  /** Id of this engine in the rows of its runs. */
  readonly node = newId()
  readonly #options: EngineOptions
  readonly #index: JobIndex
  readonly #jobs: JobWriter

  constructor(options: EngineOptions, index: JobIndex, jobs: JobWriter) {
    this.#options = options
    this.#index = index
    this.#jobs = jobs
  }

  /** Returns the latest state of a run. */
  read(id: string): Promise<StoredRun | undefined> {
    return whenAvailable(this.#options, () => this.#options.store.run(id))
  }

  /** Returns a job with its payload, which the index does not hold. */
  readJob(id: string): Promise<StoredJob | undefined> {
    return whenAvailable(this.#options, () => this.#options.store.job(id))
  }

  /** @throws {@link RunLost} when the run is not in the step of `run` any more */
  async change(run: StoredRun, to: RunFields): Promise<StoredRun> {
    const changed = { ...run, ...to }
    await this.#commit(run, changed, () => ({ runs: [{ from: run, to }], events: [changed] }))
    return changed
  }

  /**
   * Ends a run. The run and the change of its job are one commit. The run stays in the stage `notice` until all
   * messages were sent.
   *
   * @throws {@link RunLost}
   */
  async end(run: StoredRun, outcome: RunEnd): Promise<StoredRun> {
    const now = this.#options.clock.now()
    let job: StoredJob | undefined
    let to: JobFields = {}
    let ended = run
    const isCommitted = await this.#commit(
      run,
      () => ended,
      () => {
        job = this.#index.get(run.jobId)
        to = job ? jobAfter(job, run, outcome, now) : {}
        const notice = (job && outcome.tell?.(job, to)) ?? null
        const fields = {
          state: outcome.state,
          stage: notice ? ('notice' as const) : ('ended' as const),
          error: outcome.reason,
          notBefore: null,
          notice,
          finishedAt: now,
          result: run.result,
          turnId: run.turnId,
        }
        ended = { ...run, ...fields }
        return { runs: [{ from: run, to: fields }], events: [ended], ...ofJob(job, to, ended) }
      },
    )
    this.#options.counters.count(ended)
    if (job && isCommitted) this.#show(job, to, ended)
    return ended
  }

  /** Ends the stage `notice` of a run whose messages were sent. */
  async closeNotice(run: StoredRun): Promise<StoredRun> {
    const fields = { stage: 'ended', notice: null, notBefore: null } as const
    const ended: StoredRun = { ...run, ...fields }
    let job: StoredJob | undefined
    const isCommitted = await this.#commit(run, ended, () => {
      const known = this.#index.get(run.jobId)
      // A one-time job is removed with its only run.
      job = known?.once ? known : undefined
      return { runs: [{ from: run, to: fields }], events: [ended], ...(job ? { removed: [job] } : {}) }
    })
    if (job && isCommitted) this.#index.delete(job.id)
    return ended
  }

  #show(job: StoredJob, to: JobFields, ended: StoredRun): void {
    if (job.once && ended.stage === 'ended') this.#index.delete(job.id)
    else this.#jobs.changed(job, to)
  }

  /**
   * Commits a change of a run, computed again when only its job has changed.
   *
   * @returns whether this call has committed it; false when an earlier one has, whose answer was lost
   */
  async #commit(run: StoredRun, changed: StoredRun | (() => StoredRun), writeOf: () => JobWrite): Promise<boolean> {
    const { store } = this.#options
    for (;;) {
      const write = writeOf()
      if (await whenAvailable(this.#options, () => store.write(write))) return true
      const target = typeof changed === 'function' ? changed() : changed
      const latest = await this.read(run.id)
      const isOwn = latest !== undefined && isVersion(latest, target) && !isVersion(run, target)
      if (!isOwn && !(latest && isVersion(latest, run))) throw new RunLost('another engine has changed the run')
      await whenAvailable(this.#options, () => this.#jobs.refresh(run.jobId))
      if (isOwn) return false
    }
  }
}

/** Returns what the end of a run writes of its job. */
function ofJob(job: StoredJob | undefined, to: JobFields, ended: StoredRun): JobWrite {
  if (!job) return {}
  return job.once && ended.stage === 'ended' ? { removed: [job] } : { changes: [{ from: job, to }] }
}
