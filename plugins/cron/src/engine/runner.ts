import { setImmediate } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import { newId } from '@mynah/plugin-database/api'
import { SkipJob, type JobActionKind, type JobCall } from '../api.js'
import type { StoredJob, StoredRun } from '../store/types.js'
import { requireApproval } from './approval.js'
import { failureText, FAILURES_TO_PAUSE, isCredentialFailure, isTransient, RETRY_DELAYS_MS } from './failure.js'
import type { JobIndex } from './job-index.js'
import type { EngineOptions } from './options.js'
import { jobAfter, labelOf, type RunOutcome } from './outcome.js'
import { rolesOfCreator } from './roles.js'
import { RunPool } from './run-pool.js'

/** An answer that consists of this word alone is not delivered. */
export const ALL_CLEAR = 'HEARTBEAT_OK'
const MAX_RESULT = 8_192
/** Delay before a failed write to the store is repeated, in milliseconds. */
const STORE_RETRY_MS = 2_000
/** Consecutive credential failures after which the heartbeat is paused. */
const CREDENTIAL_FAILURES_TO_PAUSE = 3

/** Thrown when the host stops during a run. The stored run tells the next start how to continue. */
class RunSuspended extends Error {}

/** Executes runs: action, notice, retries, and the changes of their jobs. */
export class Runner {
  readonly pool: RunPool
  readonly #options: EngineOptions
  readonly #index: JobIndex
  readonly #node = newId()
  readonly #running = new Map<string, { readonly job: string; readonly done: Promise<void> }>()
  readonly #suspension = new AbortController()
  /** Aborts when blocked runs are left to the next start. */
  readonly #suspended: AbortSignal

  /** @param onEnded called with the job of each run that has ended */
  constructor(options: EngineOptions, index: JobIndex, onEnded: (job: string) => void) {
    const { settings, signal, log } = options
    this.#options = options
    this.#index = index
    this.#suspended = AbortSignal.any([signal, this.#suspension.signal])
    this.pool = new RunPool(
      () => settings.concurrency,
      (job, run) => {
        const done = this.#execute(job, run)
          .catch((error: unknown) => {
            if (!(error instanceof RunSuspended)) log.error(`failed to execute run: ${messageOf(error)}`, { job, run })
          })
          .finally(() => {
            this.#running.delete(run)
            this.pool.end(job)
            onEnded(job)
          })
        this.#running.set(run, { job, done })
      },
    )
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

  async #execute(jobId: string, runId: string): Promise<void> {
    const { store, signal } = this.#options
    // Yield first. With a synchronous store and action, thousands of runs would otherwise block the event loop.
    await setImmediate()
    let run = await this.#retryWhileUnavailable(() => store.run(runId))
    if (!run || run.stage === 'ended') return
    const job = await this.#loadJob(jobId)
    if (!job) {
      await this.#end(run, undefined, { state: 'skipped', reason: 'the job was removed before it ran' })
      return
    }
    /** Attempts to deliver the notice, which are counted apart from the attempts of the action. */
    let noticeAttempts = 1
    while (run.stage !== 'ended') {
      await this.#waitUntil(run.notBefore, jobId)
      try {
        run = await this.#step(run, job)
      } catch (error) {
        if (error instanceof RunSuspended || signal.aborted) throw new RunSuspended()
        // The stored run tells whether the action or the notice failed.
        const failed: StoredRun = (await this.#retryWhileUnavailable(() => store.run(runId))) ?? run
        const attempt = failed.stage === 'notice' ? noticeAttempts++ : failed.attempt
        run = await this.#handleFailure(failed, this.#index.get(jobId) ?? job, error, attempt)
      }
    }
  }

  /** The index holds one-time jobs without their payload. */
  async #loadJob(id: string): Promise<StoredJob | undefined> {
    const job = this.#index.get(id)
    return job?.once ? this.#retryWhileUnavailable(() => this.#options.store.job(id)) : job
  }

  #step(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    if (run.state !== 'running' && run.state !== 'queued')
      return this.#reportOutcome(run, this.#index.get(job.id) ?? job)
    return run.stage === 'action' ? this.#runAction(run, job) : this.#deliverResult(run, job)
  }

  /** Runs the action, and stores its result before delivering it. */
  async #runAction(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const { clock, signal, log } = this.#options
    const { roles, kind } = await this.#admit(run, job)
    const started = await this.#write(run, {
      state: 'running',
      node: this.#node,
      startedAt: run.startedAt ?? clock.now(),
      notBefore: null,
      error: null,
    })
    const setWaiting = (isWaiting: boolean): void => this.pool.setBlocked(job.id, isWaiting)
    const call: JobCall = {
      jobId: job.id,
      runId: run.id,
      creator: job.creator,
      trigger: job.trigger,
      notify: job.notify,
      roles,
      attempt: run.attempt,
      signal,
      log,
      setWaiting,
    }
    const result = await kind.run(job.action, call)
    setWaiting(false)
    if (signal.aborted) throw new RunSuspended()
    const text = result.text?.slice(0, MAX_RESULT)
    const acted = { stage: 'notice', result: text ?? null, turnId: result.turnId ?? null } as const
    // Without a notice, the end of the action ends the run.
    return hasNotice(text, job)
      ? this.#write(started, acted)
      : this.#end({ ...started, ...acted }, job, { state: 'ok', reason: null })
  }

  /** Checks the roles of the creator, the action and the approval of a run. */
  async #admit(
    run: StoredRun,
    job: StoredJob,
  ): Promise<{ readonly roles: ReadonlySet<string>; readonly kind: JobActionKind }> {
    const { collaborators } = this.#options
    const roles = rolesOfCreator(job.creator, collaborators)
    if (job.policy?.requiresMaster && !roles.has('master')) throw new SkipJob('its creator is no master any more')
    const kind = await this.#whileBlocked(job, (signal) => collaborators.action(job.action.kind, signal))
    // A started run was approved before. Retries do not need another approval.
    if (job.policy?.approval && run.startedAt === null) {
      await this.#whileBlocked(job, async (signal) =>
        requireApproval(job, run, await collaborators.approvals(signal), signal),
      )
      if (!this.#index.get(job.id)) throw new SkipJob('the job was removed before it ran')
    }
    return { roles, kind }
  }

  async #deliverResult(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    await this.#send(job, run, run.result ?? '', `job/${run.id}`)
    return this.#end(run, job, { state: 'ok', reason: null })
  }

  /** Reports an interrupted run or a paused job. The run ends even when the notice cannot be delivered. */
  async #reportOutcome(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const { store, clock, signal, log } = this.#options
    const name = labelOf(job)
    const text =
      run.state === 'interrupted'
        ? `The task "${name}" was interrupted by a stop of the host and was not started again.`
        : `The task "${name}" failed ${job.failures} times in a row and is paused: ${run.error ?? 'unknown reason'}`
    try {
      await this.#send(job, run, text, `job/${run.id}/${run.state}`)
    } catch (error) {
      if (signal.aborted) throw new RunSuspended()
      log.warn(`failed to notify about run (${run.state}): ${messageOf(error)}`, { job: job.id, run: run.id })
    }
    const end = { stage: 'ended', finishedAt: run.finishedAt ?? clock.now() } as const
    if (!job.once) return this.#write(run, end)
    const ended = { ...run, ...end }
    // A one-time job is removed with its only run.
    await this.#retryWhileUnavailable(() =>
      store.write({ runs: [{ id: run.id, ...end }], events: [ended], removed: [job.id] }),
    )
    this.#index.delete(job.id)
    return ended
  }

  async #send(job: StoredJob, run: StoredRun, text: string, key: string): Promise<void> {
    const { collaborators, signal, log } = this.#options
    const notifier = collaborators.notifier(job.notify.channel)
    if (!notifier) throw new Error(`no plugin delivers results to "${job.notify.channel}"`)
    await notifier.send(job.notify, { jobId: job.id, runId: run.id, label: labelOf(job), text, key, signal, log })
  }

  async #handleFailure(run: StoredRun, job: StoredJob, error: unknown, attempt: number): Promise<StoredRun> {
    const { clock, collaborators, log } = this.#options
    const text = failureText(error, (message) => collaborators.redact(message))
    if (error instanceof Error && error.name === 'SkipJob')
      return this.#end(run, job, { state: 'skipped', reason: text })
    const reason = run.stage === 'notice' ? `the result could not be delivered: ${text}` : text
    const fields = { job: job.id, run: run.id, attempt }
    const delay = RETRY_DELAYS_MS[attempt - 1]
    if (delay !== undefined && isTransient(error)) {
      log.warn(`run failed and will be retried: ${reason}`, fields)
      return this.#write(run, {
        ...(run.stage === 'action' ? { state: 'queued' as const, attempt: run.attempt + 1 } : {}),
        notBefore: clock.now() + delay,
        error: reason,
      })
    }
    log.warn(`run failed: ${reason}`, fields)
    const isHeartbeatKey = job.trigger.kind === 'heartbeat' && isCredentialFailure(error)
    const pauseAfter = isHeartbeatKey ? CREDENTIAL_FAILURES_TO_PAUSE : FAILURES_TO_PAUSE
    return this.#end(run, job, { state: 'error', reason, pauseAfter })
  }

  /** Ends a run. The run and the change of its job are one commit. */
  async #end(run: StoredRun, job: StoredJob | undefined, outcome: RunOutcome): Promise<StoredRun> {
    const now = this.#options.clock.now()
    const current = job && this.#index.get(job.id)
    const change = current && jobAfter(current, run, outcome, now)
    const ended: StoredRun = {
      ...run,
      state: outcome.state,
      stage: change?.paused === undefined ? 'ended' : 'notice',
      error: outcome.reason,
      notBefore: null,
      finishedAt: now,
    }
    const { id, state, stage, error, notBefore, finishedAt, result, turnId, attempt } = ended
    const runs = [{ id, state, stage, error, notBefore, finishedAt, result, turnId, attempt }]
    await this.#retryWhileUnavailable(() =>
      this.#options.store.write({
        runs,
        events: [ended],
        ...(current?.once ? { removed: [current.id] } : { changes: change ? [change] : [] }),
      }),
    )
    if (current?.once) this.#index.delete(current.id)
    // The job may have changed during the write.
    const latest = current && this.#index.get(current.id)
    if (latest && change) this.#index.set({ ...latest, ...change })
    this.#logEnd(ended, job, outcome, change?.paused === undefined ? undefined : change.failures)
    return ended
  }

  /** @param failures consecutive failures, when they have paused the job */
  #logEnd(run: StoredRun, job: StoredJob | undefined, outcome: RunOutcome, failures: number | undefined): void {
    const { log } = this.#options
    // A failure was logged when it was handled.
    if (job && outcome.state !== 'error') {
      const { reason } = outcome
      log.info(`"${labelOf(job)}" ${reason === null ? 'has run' : `was skipped: ${reason}`}`, {
        job: job.id,
        run: run.id,
        slot: run.slot,
        attempt: run.attempt,
        ...(run.turnId === null ? {} : { turn: run.turnId }),
        notify: job.notify.channel,
      })
    }
    if (job && failures !== undefined)
      log.warn(`paused job after ${failures} failed runs: ${outcome.reason ?? ''}`, { job: job.id })
  }

  async #write(run: StoredRun, changes: Partial<StoredRun>): Promise<StoredRun> {
    const changed = { ...run, ...changes }
    await this.#retryWhileUnavailable(() =>
      this.#options.store.write({ runs: [{ id: run.id, ...changes }], events: [changed] }),
    )
    return changed
  }

  /** Waits for `work` with the run marked as blocked. A host that stops meanwhile suspends the run. */
  async #whileBlocked<T>(job: StoredJob, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const result = work(this.#suspended)
    if (!(result instanceof Promise)) return result
    this.pool.setBlocked(job.id, true)
    try {
      return await result
    } catch (error) {
      if (this.#suspended.aborted) throw new RunSuspended()
      throw error
    } finally {
      this.pool.setBlocked(job.id, false)
    }
  }

  /** Waits until a time with the run marked as blocked. */
  async #waitUntil(time: number | null, job: string): Promise<void> {
    const remaining = (time ?? 0) - this.#options.clock.now()
    if (time === null || remaining <= 0) return
    this.pool.setBlocked(job, true)
    // The bound keeps a clock that was set back from extending the delay.
    const delay = Math.min(remaining, RETRY_DELAYS_MS.at(-1) ?? remaining)
    await this.#sleep(delay, this.#suspended).finally(() => this.pool.setBlocked(job, false))
  }

  /** Repeats work on the store until the store is available. */
  async #retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#options
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) throw new RunSuspended()
        if (!isTransient(error)) throw error
        await this.#sleep(STORE_RETRY_MS, signal)
      }
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel()
        reject(new RunSuspended())
      }
      const cancel = clock.setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}

const hasNotice = (text: string | undefined, { notify }: StoredJob): boolean =>
  text !== undefined && text.trim() !== '' && text.trim() !== ALL_CLEAR && notify.channel !== 'silent'
