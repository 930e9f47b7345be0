import { setImmediate } from 'node:timers/promises'
import { isLeft } from '@mynah/plugin-ai/api'
import { SkipJob, type JobActionKind, type JobCall } from '../api.js'
import { channelOf } from '../notify/normalize.js'
import type { StoredJob, StoredRun } from '../store/types.js'
import { requireApproval } from './approval.js'
import { Attempt } from './attempt.js'
import { failureText, FAILURES_TO_PAUSE, isCredentialFailure, isTransient, RETRY_DELAYS_MS } from './failure.js'
import type { JobIndex } from './job-index.js'
import { NoticeSender, resultNotice } from './notice-sender.js'
import { labelOf } from './outcome.js'
import { noticePlace } from './place.js'
import { logRunEnd } from './run-log.js'
import { inputOf } from './run-input.js'
import { RunReports, tellFailure, tellStop, tellUndelivered } from './run-reports.js'
import { RunStopped, RunSuspended } from './run-stopped.js'
import { RunWaits, type WaitParts } from './run-waits.js'
import { RunLost, type RunEnd, type RunWriter } from './run-writer.js'
import { rolesOfCreator } from './roles.js'
import { cut, storable } from './text.js'

/** An answer that consists of this word alone is not delivered. */
export const ALL_CLEAR = 'HEARTBEAT_OK'
/** UTF-16 code units of a result that the row keeps. */
const MAX_RESULT = 8_192
/** UTF-16 code units of a result that are delivered. */
const MAX_NOTICE = 1_048_576
/** Consecutive credential failures after which the heartbeat is paused. */
const CREDENTIAL_FAILURES_TO_PAUSE = 3

/** The parts that all runs share. */
export interface ExecutorParts extends WaitParts {
  readonly index: JobIndex
  readonly writer: RunWriter
  readonly reports: RunReports
}

/** Executes one run: action, notice, retries, and the change of its job. */
export class RunExecutor {
  /** Whether the run waits for a person: for the owner's consent, or in its action. */
  isWaiting = false
  readonly #parts: ExecutorParts
  readonly #jobId: string
  readonly #runId: string
  readonly #stop = new AbortController()
  readonly #waits: RunWaits
  #attempt: Attempt | undefined
  #notices: NoticeSender

  constructor(parts: ExecutorParts, jobId: string, runId: string) {
    this.#parts = parts
    this.#jobId = jobId
    this.#runId = runId
    this.#waits = new RunWaits(parts, jobId, this.#stop.signal)
    this.#notices = new NoticeSender(parts.options)
  }

  /** Ends the run unless its action has ended. */
  stop(reason: RunStopped): void {
    this.#stop.abort(reason)
  }

  /**
   * Ends the attempt that runs at this moment, and the run with it.
   *
   * @param graceMs time in milliseconds in which the attempt may end by itself
   */
  stopAttempt(reason: RunStopped, graceMs: number): void {
    const attempt = this.#attempt
    if (!attempt) return
    const stop = (): void => {
      if (this.#attempt === attempt) this.stop(reason)
    }
    if (graceMs === 0) stop()
    else this.#parts.options.clock.setTimeout(stop, graceMs)
  }

  /** @throws RunSuspended, {@link RunLost} */
  async execute(): Promise<void> {
    const { writer } = this.#parts
    // Yield first. With a synchronous store and action, thousands of runs would otherwise block the event loop.
    await setImmediate()
    const stored = await this.#waits.unlessSuspended(writer.read(this.#runId))
    if (!stored || stored.stage === 'ended') return
    // A run of an earlier start.
    let run = stored.node === writer.node ? stored : await writer.change(stored, { node: writer.node })
    const job = await this.#waits.unlessSuspended(this.#loadJob())
    if (!job) {
      await this.#endWithoutJob(run)
      return
    }
    while (run.stage !== 'ended') {
      try {
        await this.#waits.until(run.notBefore, run.stage === 'action')
        run = await this.#step(run, job)
      } catch (error) {
        run = await this.#afterFailure(run, job, error)
      }
    }
  }

  /** Without its job there is no channel to notify. */
  #endWithoutJob(run: StoredRun): Promise<StoredRun> {
    const { writer } = this.#parts
    if (run.state === 'queued')
      return this.#end(run, undefined, { state: 'skipped', reason: 'the job was removed before it ran' })
    return run.state === 'running'
      ? this.#end(run, undefined, {
          state: 'undelivered',
          reason: 'the job was removed before its result was delivered',
        })
      : writer.closeNotice(run)
  }

  /** The index holds one-time jobs without their payload. */
  async #loadJob(): Promise<StoredJob | undefined> {
    const job = this.#parts.index.get(this.#jobId)
    return job?.once ? this.#parts.writer.readJob(this.#jobId) : job
  }

  #latest(job: StoredJob): StoredJob {
    return this.#parts.index.get(this.#jobId) ?? job
  }

  async #step(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    if (run.state !== 'running' && run.state !== 'queued') return this.#tell(run, this.#latest(job))
    if (run.stage === 'action') this.#stop.signal.throwIfAborted()
    return run.stage === 'action' ? this.#runAction(run, job) : this.#deliver(run, job)
  }

  /** Runs the action, and stores its result before delivering it. */
  async #runAction(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const { writer, options } = this.#parts
    const { roles, kind } = await this.#admit(run, job)
    this.#stop.signal.throwIfAborted()
    const input = inputOf(job)
    if (run.startedAt === null && run.input !== null && run.input !== input)
      throw new SkipJob('its job was changed before it ran')
    const started = await writer.change(run, {
      state: 'running',
      input,
      startedAt: run.startedAt ?? options.clock.now(),
      host: options.sharing?.host ?? null,
      notBefore: null,
      error: null,
    })
    const result = await this.#act(started, job, kind, roles)
    const text = result.text === undefined ? undefined : cut(storable(result.text), MAX_NOTICE)
    const acted = { result: text === undefined ? null : cut(text, MAX_RESULT), turnId: result.turnId ?? null }
    // Without a notice, the end of the action ends the run.
    return hasNotice(text, job)
      ? writer.change(started, { ...acted, stage: 'notice', notice: { text } })
      : this.#end({ ...started, ...acted }, job, { state: 'ok', reason: null })
  }

  async #act(run: StoredRun, job: StoredJob, kind: JobActionKind, roles: ReadonlySet<string>) {
    const { options, pool } = this.#parts
    const { clock, signal, log, settings } = options
    const limit = kind.timeoutMs?.(job.action) ?? settings.runTimeoutMs
    const attempt = new Attempt(clock, limit, [signal, this.#stop.signal])
    const setWaiting = (isWaiting: boolean): void => {
      if (this.#attempt !== attempt) return
      this.isWaiting = isWaiting
      attempt.setWaiting(isWaiting)
      pool.setBlocked(job.id, isWaiting)
    }
    const call: JobCall = {
      jobId: job.id,
      name: labelOf(job),
      runId: run.id,
      creator: job.creator,
      trigger: job.trigger,
      notify: job.notify,
      ...(job.notify.channel === 'im' ? { channel: channelOf(job.notify) } : {}),
      roles,
      attempt: run.attempt,
      signal: attempt.signal,
      log,
      setWaiting,
    }
    this.#attempt = attempt
    try {
      return await attempt.run(() => kind.run(job.action, call))
    } finally {
      this.#attempt = undefined
      this.isWaiting = false
      pool.setBlocked(job.id, false)
    }
  }

  /** Checks the roles of the creator, the action and the approval of a run. */
  async #admit(
    run: StoredRun,
    job: StoredJob,
  ): Promise<{ readonly roles: ReadonlySet<string>; readonly kind: JobActionKind }> {
    const { index, options } = this.#parts
    const { collaborators } = options
    const roles = rolesOfCreator(job.creator, collaborators)
    if (job.policy?.requiresMaster && !roles.has('master')) throw new SkipJob('its creator is no master any more')
    const kind = await this.#waits.whileBlocked((signal) => collaborators.action(job.action.kind, signal))
    // A started run was approved before. Retries do not need another approval.
    if (job.policy?.approval && run.startedAt === null) {
      this.isWaiting = true
      await this.#waits
        .whileBlocked(async (signal) => requireApproval(job, run, await collaborators.approvals(signal), signal))
        .finally(() => (this.isWaiting = false))
      if (!index.get(job.id)) throw new SkipJob('the job was removed before it ran')
    }
    return { roles, kind }
  }

  async #deliver(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    await this.#waits.enter(noticePlace(job.notify))
    const text = run.notice?.text ?? run.result ?? ''
    await this.#notices.send(job, run, resultNotice(job, text), `job/${run.id}`)
    return this.#end(run, job, { state: 'ok', reason: null })
  }

  /** Reports how a run has ended. A failure of one message does not repeat the other. */
  async #tell(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const { writer, reports, suspended } = this.#parts
    if (suspended.aborted) throw new RunSuspended()
    const { text, owner } = run.notice ?? {}
    await this.#waits.enter(noticePlace(job.notify))
    if (text !== undefined) {
      await this.#notices.send(job, run, { text }, `job/${run.id}/${run.state}`)
      return writer.change(run, { notice: owner === undefined ? {} : { owner }, notBefore: null })
    }
    await this.#waits.whileBlocked((signal) => reports.tellOwner(run, job, owner, signal), false)
    return writer.closeNotice(run)
  }

  /** Returns the run after a failed step: it waits for another attempt, or it ends. */
  async #afterFailure(before: StoredRun, job: StoredJob, error: unknown): Promise<StoredRun> {
    const { options, writer } = this.#parts
    if (error instanceof RunSuspended || options.signal.aborted) throw new RunSuspended()
    if (error instanceof RunLost) throw error
    // The stored run tells whether the action or the notice failed.
    const run = (await this.#waits.unlessSuspended(writer.read(this.#runId))) ?? before
    if (run.node !== writer.node || run.stage === 'ended') throw new RunLost('another engine has changed the run')
    if (run.stage === 'action') return this.#afterAction(run, this.#latest(job), error)
    const reason = failureText(error, (text) => options.collaborators.redact(text))
    const delay = this.#notices.delayAfter(error)
    if (delay !== undefined) {
      options.log.warn(`failed to deliver, to be tried again: ${reason}`, { job: job.id, run: run.id })
      return writer.change(run, {
        notBefore: options.clock.now() + delay,
        ...(run.state === 'running' ? { error: reason } : {}),
      })
    }
    options.log.warn(`failed to deliver: ${reason}`, { job: job.id, run: run.id })
    if (run.state === 'running')
      return this.#end(run, job, {
        state: 'undelivered',
        reason: `the result could not be delivered: ${reason}`,
        tell: tellUndelivered(reason, options.collaborators),
      })
    return this.#withoutText(run)
  }

  /** A report that cannot be delivered does not keep the message to the owner from being sent. */
  #withoutText(run: StoredRun): Promise<StoredRun> {
    const { writer } = this.#parts
    this.#notices = new NoticeSender(this.#parts.options)
    const { text, owner } = run.notice ?? {}
    return text === undefined
      ? writer.closeNotice(run)
      : writer.change(run, { notice: owner === undefined ? {} : { owner }, notBefore: null })
  }

  async #afterAction(run: StoredRun, job: StoredJob, error: unknown): Promise<StoredRun> {
    const { options, writer, suspended } = this.#parts
    const { clock, collaborators, log } = options
    if (this.#stop.signal.aborted) return this.#endStopped(run, job, this.#stop.signal.reason as RunStopped)
    const reason = failureText(error, (message) => collaborators.redact(message))
    if (error instanceof Error && error.name === 'SkipJob') return this.#end(run, job, { state: 'skipped', reason })
    const fields = { job: job.id, run: run.id, attempt: run.attempt }
    if (suspended.aborted && isLeft(error)) throw new RunSuspended()
    const delay = RETRY_DELAYS_MS[run.attempt - 1]
    // Where only the agent was stopped, the next attempt gets its answer.
    if (delay !== undefined && (isLeft(error) || isTransient(error))) {
      log.warn(`run failed and will be retried: ${reason}`, fields)
      return writer.change(run, {
        state: 'queued',
        // An attempt that a stop of the host has cut short does not count.
        attempt: suspended.aborted ? run.attempt : run.attempt + 1,
        notBefore: clock.now() + delay,
        error: reason,
      })
    }
    log.warn(`run failed: ${reason}`, fields)
    const isHeartbeatKey = job.trigger.kind === 'heartbeat' && isCredentialFailure(error)
    return this.#end(run, job, {
      state: 'error',
      reason,
      pauseAfter: isHeartbeatKey ? CREDENTIAL_FAILURES_TO_PAUSE : FAILURES_TO_PAUSE,
      tell: tellFailure(error, reason, collaborators),
    })
  }

  #endStopped(run: StoredRun, job: StoredJob, { message, isTold }: RunStopped): Promise<StoredRun> {
    const hasBegun = run.startedAt !== null
    return this.#end(run, job, {
      state: hasBegun ? 'interrupted' : 'skipped',
      reason: `${message} ${hasBegun ? 'while' : 'before'} it ran`,
      ...(isTold ? { tell: tellStop(message, this.#parts.options.collaborators) } : {}),
    })
  }

  async #end(run: StoredRun, job: StoredJob | undefined, outcome: RunEnd): Promise<StoredRun> {
    const { writer, options, index } = this.#parts
    const ended = await writer.end(run, outcome)
    if (job) logRunEnd(options.log, ended, job, index.get(job.id))
    return ended
  }
}

const hasNotice = (text: string | undefined, { notify }: StoredJob): text is string =>
  text !== undefined && text.trim() !== '' && text.trim() !== ALL_CLEAR && notify.channel !== 'silent'
