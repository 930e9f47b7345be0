// One run from its row to its end: what it needs, the action, the notice, and what a failure of either means.
import { setImmediate } from 'node:timers/promises'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Approvals } from '@mynah/plugin-exec-security/api'
import { SkipJob, type JobActionKind, type JobCall, type JobNotifier, type JobResult } from '../api.js'
import type { JobStore, StoredJob, StoredRun } from '../store/types.js'
import { approved } from './approval.js'
import type { Book } from './book.js'
import { failureText, FAILURES_TO_PAUSE, isKeyFailure, mayPass, PAUSES_MS } from './failure.js'
import { Places } from './places.js'
import { rolesOf, type RolePort } from './roles.js'

/** Where an answer is this and nothing else, there is nothing to tell. */
export const ALL_CLEAR = 'HEARTBEAT_OK'
const MAX_RESULT = 8_192
const RECENT = 30
/** Pause before a row is written again that could not be, ms. */
const WRITE_AGAIN_MS = 2_000
/** Failures of the key in a row after which the heartbeat is paused. */
const KEY_FAILURES = 3

export interface RunnerDeps {
  readonly store: JobStore
  readonly book: Book
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  readonly node: string
  readonly concurrency: () => number
  readonly redact: (text: string) => string
  readonly roles: RolePort
  /** The owner's approvals, once they are there; undefined where none are to be expected. */
  readonly approvals: (signal: AbortSignal) => Approvals | undefined | Promise<Approvals>
  /** The action kind, once it is there; throws {@link SkipJob} where none is to be expected. */
  readonly actionOf: (kind: JobAction['kind'], signal: AbortSignal) => JobActionKind | Promise<JobActionKind>
  readonly notifierOf: (channel: JobNotify['channel']) => JobNotifier | undefined
  /** After a run has ended. */
  readonly ended: (job: string) => void
}

/** The host stops: the row says where the run was. */
class Left extends Error {}

export class Runner {
  readonly places: Places
  readonly #deps: RunnerDeps
  /** Runs that are under way, with their jobs. */
  readonly #running = new Map<string, { readonly job: string; readonly done: Promise<void> }>()
  readonly #leaving = new AbortController()
  /** Aborts when what waits is left to the next start. */
  readonly #stops: AbortSignal

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#stops = AbortSignal.any([deps.signal, this.#leaving.signal])
    this.places = new Places(deps.concurrency, (job, run) => {
      const done = this.#execute(job, run)
        .catch((error: unknown) => {
          if (!(error instanceof Left)) deps.log.error(`a run broke: ${messageOf(error)}`, { job, run })
        })
        .finally(() => {
          this.#running.delete(run)
          this.places.end(job)
          deps.ended(job)
        })
      this.#running.set(run, { job, done })
    })
  }

  /**
   * Begins nothing more, and resolves when what is under way has ended. What waits, for its next attempt or for the owner,
   * is left to the next start; nobody waits for an action that waits for a person.
   */
  async settle(): Promise<void> {
    this.places.close()
    this.#leaving.abort()
    for (;;) {
      const busy = Array.from(this.#running.values()).filter(({ job }) => !this.places.isAway(job))
      if (busy.length === 0) return
      await Promise.race([Promise.all(busy.map(({ done }) => done)), this.places.oneAway()])
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    this.places.close()
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done))
  }

  async #execute(jobId: string, runId: string): Promise<void> {
    const { store, book } = this.#deps
    // Where neither the store nor the action waits for anything, thousands of runs would be one piece of work.
    await setImmediate()
    let run = await this.#persistent(() => store.run(runId))
    if (!run || run.stage === 'ended') return
    // What is for once is held without what came with it.
    const job = book.get(jobId)?.once ? await this.#persistent(() => store.job(jobId)) : book.get(jobId)
    if (!job) return void (await this.#end(run, undefined, 'skipped', 'the job was removed before it ran'))
    /** Attempts to tell the result; they are counted apart from those of the action. */
    let notices = 1
    while (run.stage !== 'ended') {
      await this.#until(run.not_before, jobId)
      try {
        if (run.state !== 'running' && run.state !== 'queued') run = await this.#tell(run, book.get(jobId) ?? job)
        else if (run.stage === 'action') run = await this.#act(run, job)
        else run = await this.#notify(run, job)
      } catch (error) {
        if (error instanceof Left || this.#deps.signal.aborted) throw new Left()
        // The row knows how far it came.
        const failed: StoredRun = (await this.#persistent(() => store.run(runId))) ?? run
        run = await this.#failed(
          failed,
          book.get(jobId) ?? job,
          error,
          failed.stage === 'notice' ? notices++ : failed.attempt,
        )
      }
    }
  }

  /** Does what the job is for, and keeps what it came to before anything is told. */
  async #act(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const { clock, signal, log, node, roles: port, book } = this.#deps
    const roles = rolesOf(job.creator, port)
    if (job.policy?.requiresMaster && !roles.has('master')) throw new SkipJob('its creator is no master any more')
    const waits = (waiting: boolean): void => this.places.setAway(job.id, waiting)
    const kind = await this.#waiting(job, (stops) => this.#deps.actionOf(job.action.kind, stops))
    // What has begun was approved, however many attempts it takes.
    if (job.policy?.approval && run.started_at === null) {
      await this.#waiting(job, async (stops) => approved(job, run, await this.#deps.approvals(stops), stops))
      if (!book.get(job.id)) throw new SkipJob('the job was removed before it ran')
    }
    const begun = await this.#write(run, {
      state: 'running',
      node,
      started_at: run.started_at ?? clock.now(),
      not_before: null,
      error: null,
    })
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
      waits,
    }
    const result: JobResult = await kind.run(job.action, call)
    waits(false)
    if (signal.aborted) throw new Left()
    const text = result.text?.slice(0, MAX_RESULT)
    const kept = { stage: 'notice', result: text ?? null, turn_id: result.turnId ?? null } as const
    // Where nothing is to be told, the action's end is the run's.
    if (text === undefined || text.trim() === '' || text.trim() === ALL_CLEAR || job.notify.channel === 'silent')
      return this.#end({ ...begun, ...kept }, job, 'ok', null)
    return this.#write(begun, kept)
  }

  async #notify(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    await this.#send(job, run, run.result ?? '', `job/${run.id}`)
    return this.#end(run, job, 'ok', null)
  }

  /** Says how a run ended that gave no result; it has ended whether or not that can be said. */
  async #tell(run: StoredRun, job: StoredJob): Promise<StoredRun> {
    const name = labelOf(job)
    const text =
      run.state === 'interrupted'
        ? `The task "${name}" was interrupted by a stop of the host and was not begun again.`
        : `The task "${name}" failed ${job.failures} times in a row and is paused: ${run.error ?? 'no reason is known'}`
    try {
      await this.#send(job, run, text, `job/${run.id}/${run.state}`)
    } catch (error) {
      if (this.#deps.signal.aborted) throw new Left()
      this.#deps.log.warn(`it could not be told that a run was ${run.state}: ${messageOf(error)}`, {
        job: job.id,
        run: run.id,
      })
    }
    const end = { stage: 'ended', finished_at: run.finished_at ?? this.#deps.clock.now() } as const
    if (!job.once) return this.#write(run, end)
    const ended = { ...run, ...end }
    // What was for once had its chance.
    await this.#persistent(() =>
      this.#deps.store.write({ runs: [{ id: run.id, ...end }], events: [ended], removed: [job.id] }),
    )
    this.#deps.book.delete(job.id)
    return ended
  }

  async #send(job: StoredJob, run: StoredRun, text: string, key: string): Promise<void> {
    const { notifierOf, signal, log } = this.#deps
    const notifier = notifierOf(job.notify.channel)
    if (!notifier) throw new Error(`nothing here delivers results to "${job.notify.channel}"`)
    await notifier.send(job.notify, { jobId: job.id, runId: run.id, label: labelOf(job), text, key, signal, log })
  }

  async #failed(run: StoredRun, job: StoredJob, error: unknown, attempt: number): Promise<StoredRun> {
    const { clock, redact, log } = this.#deps
    const text = failureText(error, redact)
    if (error instanceof Error && error.name === 'SkipJob') return this.#end(run, job, 'skipped', text)
    const why = run.stage === 'notice' ? `the result could not be delivered: ${text}` : text
    const pause = PAUSES_MS[attempt - 1]
    if (pause !== undefined && mayPass(error)) {
      log.warn(`a run failed and is tried again: ${why}`, { job: job.id, run: run.id, attempt })
      return this.#write(run, {
        ...(run.stage === 'action' ? { state: 'queued' as const, attempt: run.attempt + 1 } : {}),
        not_before: clock.now() + pause,
        error: why,
      })
    }
    log.warn(`a run failed: ${why}`, { job: job.id, run: run.id, attempt })
    return this.#end(
      run,
      job,
      'error',
      why,
      job.trigger.kind === 'heartbeat' && isKeyFailure(error) ? KEY_FAILURES : FAILURES_TO_PAUSE,
    )
  }

  /** The run and what it means for its job are one commit. */
  async #end(
    run: StoredRun,
    job: StoredJob | undefined,
    state: 'ok' | 'error' | 'skipped',
    why: string | null,
    pauseAfter = FAILURES_TO_PAUSE,
  ): Promise<StoredRun> {
    const { clock, store, book } = this.#deps
    const now = clock.now()
    const current = job && book.get(job.id)
    const failures = !current ? 0 : state === 'error' ? current.failures + 1 : state === 'ok' ? 0 : current.failures
    const isPaused =
      current !== undefined && current.enabled && state === 'error' && failures >= pauseAfter && !current.once
    const ended: StoredRun = {
      ...run,
      state,
      stage: isPaused ? 'notice' : 'ended',
      error: why,
      not_before: null,
      finished_at: now,
    }
    const changes = current && {
      id: current.id,
      last_run_at: run.started_at ?? now,
      last_status: state,
      last_error: why,
      retry_count: run.attempt - 1,
      failures,
      recent: recentWith(current, ended),
      updated_at: now,
      ...(isPaused ? { enabled: false, paused: `it failed ${failures} times in a row` } : {}),
    }
    const { error, not_before, finished_at, stage, result, turn_id, attempt } = ended
    const change = {
      runs: [{ id: run.id, state, stage, error, not_before, finished_at, result, turn_id, attempt }],
      events: [ended],
    }
    if (current?.once) await this.#persistent(() => store.write({ ...change, removed: [current.id] }))
    else await this.#persistent(() => store.write(changes ? { ...change, changes: [changes] } : change))
    if (current?.once) book.delete(current.id)
    // Something else may have changed the job while this was written.
    const latest = current && book.get(current.id)
    if (latest && changes) book.set({ ...latest, ...changes })
    // A failure has been told with its reason.
    if (job && state !== 'error') {
      const turn = ended.turn_id === null ? {} : { turn: ended.turn_id }
      this.#deps.log.info(`"${labelOf(job)}" ${why === null ? 'has run' : `was skipped: ${why}`}`, {
        job: job.id,
        run: run.id,
        slot: run.slot,
        attempt,
        ...turn,
        notify: job.notify.channel,
      })
    }
    if (isPaused)
      this.#deps.log.warn(`a job is paused after ${failures} failed runs: ${why ?? ''}`, { job: current.id })
    return ended
  }

  async #write(run: StoredRun, changes: Partial<StoredRun>): Promise<StoredRun> {
    const changed = { ...run, ...changes }
    await this.#persistent(() => this.#deps.store.write({ runs: [{ id: run.id, ...changes }], events: [changed] }))
    return changed
  }

  /** Waits for what may take long; meanwhile the run holds no place, and a host that stops leaves it as it is. */
  async #waiting<T>(job: StoredJob, work: (stops: AbortSignal) => T | Promise<T>): Promise<T> {
    const found = work(this.#stops)
    if (!(found instanceof Promise)) return found
    this.places.setAway(job.id, true)
    try {
      return await found
    } catch (error) {
      if (this.#stops.aborted) throw new Left()
      throw error
    } finally {
      this.places.setAway(job.id, false)
    }
  }

  /** Until the time has come; meanwhile the run holds no place. */
  async #until(time: number | null, job: string): Promise<void> {
    const { clock } = this.#deps
    const left = (time ?? 0) - clock.now()
    if (time === null || left <= 0) return
    this.places.setAway(job, true)
    // A clock that was set back makes nothing wait for longer than it was told to.
    await this.#sleep(Math.min(left, PAUSES_MS.at(-1) ?? left), this.#stops).finally(() =>
      this.places.setAway(job, false),
    )
  }

  /** What has happened is written down sooner or later: a database that is away comes back. */
  async #persistent<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (this.#deps.signal.aborted) throw new Left()
        if (!mayPass(error)) throw error
        await this.#sleep(WRITE_AGAIN_MS, this.#deps.signal)
      }
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel()
        reject(new Left())
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

/** How a job is called where people read it. */
export function labelOf({ label, action, id }: Pick<StoredJob, 'label' | 'action' | 'id'>): string {
  return label ?? (action.kind === 'agent' ? action.prompt.split('\n', 1)[0]?.slice(0, 60) : action.handler) ?? id
}

/** The last runs of a job with one more, or as it is now. */
export function recentWith(
  { recent }: Pick<StoredJob, 'recent'>,
  { slot, state }: Pick<StoredRun, 'slot' | 'state'>,
): StoredJob['recent'] {
  return [...recent.filter((known) => known.slot !== slot), { slot, state }].slice(-RECENT)
}
