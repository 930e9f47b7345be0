import { messageOf } from '@mynah/kernel'
import type { JobIndex } from './job-index.js'
import type { EngineOptions } from './options.js'
import { actionPlace } from './place.js'
import { RunExecutor, type ExecutorParts } from './run-executor.js'
import { RunPool } from './run-pool.js'
import { RunReports } from './run-reports.js'
import { RunSuspended, type RunStopped } from './run-stopped.js'
import { RunLost, type RunWriter } from './run-writer.js'

interface ActiveRun {
  readonly job: string
  readonly place: string
  readonly executor: RunExecutor
  readonly done: Promise<void>
}

/** Runs what was queued, as many at once as there are places, and stops runs. */
export class Runner {
  readonly pool: RunPool
  readonly reports: RunReports
  readonly #options: EngineOptions
  readonly #index: JobIndex
  readonly #parts: ExecutorParts
  readonly #running = new Map<string, ActiveRun>()
  readonly #suspension = new AbortController()
  readonly #onEnded: (job: string) => void

  /** @param onEnded called with the job of each run that has ended */
  constructor(options: EngineOptions, index: JobIndex, writer: RunWriter, onEnded: (job: string) => void) {
    const { settings, signal, collaborators } = options
    this.#options = options
    this.#index = index
    this.#onEnded = onEnded
    this.pool = new RunPool(
      () => settings.concurrency,
      (job, run) => this.#start(job, run, () => this.pool.end(job)),
    )
    this.reports = new RunReports(collaborators)
    const suspended = AbortSignal.any([signal, this.#suspension.signal])
    this.#parts = { options, index, writer, pool: this.pool, reports: this.reports, suspended }
  }

  /** Whether an active run waits for a person. */
  isWaiting(run: string): boolean {
    return this.#running.get(run)?.executor.isWaiting === true
  }

  /** Adds a stored run to the queue of its job. */
  add(job: string, run: string): void {
    this.pool.add(job, run, actionPlace(this.#index.get(job)))
  }

  /** Ends the active run of a job and skips the queued ones. A result is still delivered. */
  stopJob(job: string, reason: RunStopped): void {
    for (const run of this.pool.removeQueued(job)) this.discard(job, run, reason)
    for (const active of this.#running.values()) if (active.job === job) active.executor.stop(reason)
  }

  /** Ends a stored run that was not added. */
  discard(job: string, run: string, reason: RunStopped): void {
    this.#start(job, run, () => {}).stop(reason)
  }

  /**
   * Ends the runs whose action works in a place, because what it works with is gone.
   *
   * @param graceMs time in milliseconds in which the actions may end by themselves
   */
  stopPlace(place: string, reason: RunStopped, graceMs = 0): void {
    for (const active of this.#running.values())
      if (active.place === place) active.executor.stopAttempt(reason, graceMs)
  }

  /**
   * Starts no more runs, and resolves when the active ones have ended. Runs that wait for a retry or for the owner are
   * left to the next start. Actions that wait for a person are not awaited.
   */
  async settle(): Promise<void> {
    this.pool.close()
    this.#suspension.abort()
    for (;;) {
      const active = Array.from(this.#running.values()).filter(({ job }) => !this.pool.isBlocked(job))
      if (active.length === 0) return
      await Promise.race([Promise.all(active.map(({ done }) => done)), this.pool.nextBlocked()])
    }
  }

  /** Starts no more runs, and resolves when all active ones have ended. */
  async idle(): Promise<void> {
    this.pool.close()
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done))
  }

  #start(job: string, run: string, onDone: () => void): RunExecutor {
    const executor = new RunExecutor(this.#parts, job, run)
    const place = actionPlace(this.#index.get(job))
    const done = executor
      .execute()
      .catch((error: unknown) => this.#logFailure(error, job, run))
      .finally(() => {
        this.#running.delete(run)
        onDone()
        this.#onEnded(job)
      })
    this.#running.set(run, { job, place, executor, done })
    return executor
  }

  #logFailure(error: unknown, job: string, run: string): void {
    const { log, signal } = this.#options
    if (error instanceof RunSuspended || signal.aborted) return
    if (error instanceof RunLost) log.debug('left a run to another engine', { job, run })
    else log.error(`failed to execute run: ${messageOf(error)}`, { job, run })
  }
}
