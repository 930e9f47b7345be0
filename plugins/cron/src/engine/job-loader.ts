import { setImmediate } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import type { JobFields, StoredJob, StoredRun } from '../store/types.js'
import { continueIdsAfter } from './id-order.js'
import { withoutPayload } from './job-factory.js'
import type { JobIndex } from './job-index.js'
import type { JobWriter } from './job-writer.js'
import type { EngineOptions } from './options.js'
import { withRecent } from './outcome.js'
import { tellHostStop } from './run-reports.js'
import type { Runner } from './runner.js'

/** Jobs that are read in one step. */
const BATCH = 200
/** Ids that one line of the log lists. */
const MAX_LOGGED = 20
const HOST_STOPPED = 'the host stopped while it ran'

/** Loads stored jobs and runs at a start, and corrects them after the clock was set back. */
export class JobLoader {
  readonly #options: EngineOptions
  readonly #index: JobIndex
  readonly #jobs: JobWriter
  readonly #runner: Runner

  constructor(options: EngineOptions, index: JobIndex, jobs: JobWriter, runner: Runner) {
    this.#options = options
    this.#index = index
    this.#jobs = jobs
    this.#runner = runner
  }

  /** Loads the stored jobs. Runs that a stop interrupted are reported and not repeated. Queued runs are run. */
  async load(): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.now()
    await this.loadJobs()
    continueIdsAfter(await store.lastRunId())
    await this.#restoreSlots(now)
    const open = await store.openRuns()
    await this.#removeFinishedEvents(open)
    await this.#recover(open, now)
  }

  /** Shows all jobs as they are stored. */
  async loadJobs(): Promise<void> {
    const { store, clock, log } = this.#options
    const now = clock.now()
    const before = new Map(this.#index.ids().map((id) => [id, this.#index.get(id)]))
    for (let page = await store.jobs(undefined, BATCH); page.length; page = await store.jobs(page.at(-1)?.id, BATCH)) {
      for (const job of page) {
        continueIdsAfter(job.id)
        before.delete(job.id)
        try {
          this.#index.load(withoutPayload(job), now)
        } catch (error) {
          log.error(`failed to load job: ${messageOf(error)}`, { job: job.id })
        }
      }
    }
    // One that was added or changed meanwhile stays.
    for (const [id, job] of before) if (this.#index.get(id) === job) this.#index.delete(id)
  }

  /** Takes up a stored run that this engine does not work on, as a start does. */
  async takeUp(run: StoredRun): Promise<void> {
    const { clock, counters } = this.#options
    if (run.stage === 'ended') counters.count(run)
    else await this.#recover([run], clock.now())
  }

  /** Computes the next runs again after the clock was set back, because the known ones are too far ahead. */
  async clockSetBack(now: number): Promise<void> {
    this.#options.log.warn('the clock of this machine was set back; computing all next runs again')
    await this.#restoreSlots(now).catch((error: unknown) =>
      this.#options.log.warn(`failed to restore slots that were skipped: ${messageOf(error)}`),
    )
    const ids = Array.from(this.#index.ids())
    for (let from = 0; from < ids.length; from += BATCH) {
      for (const id of ids.slice(from, from + BATCH)) this.#index.advance(id, now)
      // Yield between batches.
      await setImmediate()
    }
  }

  /** A clock that was ahead has recorded slots as missed that are still to come. They are to run. */
  async #restoreSlots(now: number): Promise<void> {
    const { store, log } = this.#options
    const dropped = await store.dropSkippedAhead(now)
    if (dropped.length === 0) return
    log.warn(`the clock was ahead: slots that it had skipped are still to come and will run: ${dropped.length}`)
    for (const [id, slots] of slotsByJob(dropped)) await this.#jobs.change(id, (job) => withoutSkipped(job, slots, now))
  }

  /** Removes one-time event jobs whose run ended before a stop could remove them. */
  async #removeFinishedEvents(open: readonly StoredRun[]): Promise<void> {
    const pending = new Set(open.map(({ jobId }) => jobId))
    const finished = this.#index.ids().flatMap((id) => {
      const job = this.#index.get(id)
      return job?.once && job.trigger.kind === 'event' && !pending.has(id) ? [job] : []
    })
    if (finished.length === 0 || !(await this.#options.store.write({ removed: finished }))) return
    for (const { id } of finished) this.#index.delete(id)
  }

  async #recover(open: readonly StoredRun[], now: number): Promise<void> {
    const { log } = this.#options
    const interrupted: StoredRun[] = []
    for (const run of open) {
      if (run.stage === 'action' && run.state === 'running') {
        const ended = await this.#interrupt(run, now)
        if (!ended) continue
        interrupted.push(ended)
      }
      const job = this.#index.get(run.jobId)
      const isUntold = run.state === 'interrupted' && run.notice?.owner === undefined
      if (job && (isUntold || interrupted.at(-1)?.id === run.id)) this.#runner.reports.addInterrupted(run, job)
      this.#runner.add(run.jobId, run.id)
    }
    if (interrupted.length)
      log.warn(`runs that the last stop of the host has interrupted: ${interrupted.length}`, {
        jobs: interrupted.slice(0, MAX_LOGGED).map(({ jobId }) => jobId),
        runs: interrupted.slice(0, MAX_LOGGED).map(({ id }) => id),
      })
  }

  /** Returns the ended run, or `undefined` when another engine has it. */
  async #interrupt(run: StoredRun, now: number): Promise<StoredRun | undefined> {
    const { store, collaborators, counters } = this.#options
    for (let job = this.#index.get(run.jobId); ; job = await this.#jobs.refresh(run.jobId)) {
      const fields = {
        state: 'interrupted',
        stage: job ? 'notice' : 'ended',
        error: HOST_STOPPED,
        notBefore: null,
        notice: job ? tellHostStop(job, collaborators) : null,
        finishedAt: now,
      } as const
      const ended: StoredRun = { ...run, ...fields }
      const to: JobFields | undefined = job && {
        lastStatus: 'interrupted',
        lastError: HOST_STOPPED,
        lastRunAt: run.startedAt,
        lastHost: run.host,
        recent: withRecent(job, ended),
        updatedAt: now,
      }
      const changes = job && to ? [{ from: job, to }] : []
      if (await store.write({ runs: [{ from: run, to: fields }], events: [ended], changes })) {
        counters.count(ended)
        if (job && to) this.#jobs.changed(job, to)
        return ended
      }
      const latest = await store.run(run.id)
      if (latest?.state !== run.state || latest.stage !== run.stage || latest.node !== run.node) return undefined
    }
  }
}

function slotsByJob(runs: readonly StoredRun[]): Map<string, Set<string>> {
  const slots = new Map<string, Set<string>>()
  for (const { jobId, slot } of runs) slots.set(jobId, (slots.get(jobId) ?? new Set()).add(slot))
  return slots
}

/** Returns a job without its skipped slots. One of a single time is due again. */
function withoutSkipped(job: StoredJob, slots: ReadonlySet<string>, now: number): JobFields {
  const { trigger, recent } = job
  const at = trigger.kind === 'schedule' && 'at' in trigger.schedule ? trigger.schedule.at : undefined
  return {
    recent: recent.filter(({ slot }) => !slots.has(slot)),
    updatedAt: now,
    ...(at !== undefined && slots.has(String(at)) ? { nextRunAt: at, enabled: true } : {}),
  }
}
