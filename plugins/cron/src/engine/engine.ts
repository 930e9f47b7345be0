import { setImmediate } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { newId } from '@mynah/plugin-database/api'
import type { AssistantJob } from '@mynah/contract/types'
import type { AcceptedRun, Creator, JobChanges, JobListOptions, JobRunOptions, Jobs, NewJob } from '../api.js'
import { EVENT_SLOT_PREFIX, type StoredJob, type StoredRun } from '../store/types.js'
import { planDue } from './due-plan.js'
import { isTransient } from './failure.js'
import { changedFields, checkCreator, firstRun, newJob, newRun, withoutPayload } from './job-factory.js'
import { JobIndex } from './job-index.js'
import type { EngineOptions } from './options.js'
import { withRecent } from './outcome.js'
import { RunPruner } from './run-pruner.js'
import { Runner } from './runner.js'
import { Ticker } from './ticker.js'

/** Delay before the slots of a failed batch are taken again, in milliseconds. */
const TAKE_RETRY_MS = 5_000
/** Most events that may wait for their run. */
const MAX_PENDING_EVENTS = 5_000
/** Jobs that are read, or whose slots are taken, in one step. */
const BATCH = 200

/** Keeps jobs, claims a run for each due slot, and passes runs to the runner. */
export class Engine implements Jobs {
  readonly index: JobIndex
  readonly runner: Runner
  readonly #options: EngineOptions
  readonly #onChanged: (id: string) => void
  readonly #ticker: Ticker

  /** @param onChanged called with each job that was added, changed or removed */
  constructor(options: EngineOptions, onChanged: (id: string) => void) {
    const { settings, clock } = options
    const pruner = new RunPruner(options)
    this.#options = options
    this.#onChanged = onChanged
    this.index = new JobIndex(() => settings.timezone)
    this.runner = new Runner(options, this.index, (job) => pruner.runEnded(job, this.index.get(job) === undefined))
    this.#ticker = new Ticker(clock, {
      earliest: () => this.index.due.earliest,
      takeDue: (now) => this.#takeDue(now),
      clockSetBack: (now) => this.#clockSetBack(now),
    })
  }

  get durable(): boolean {
    return this.#options.store.durable
  }

  /** Loads the stored jobs. Runs that a stop interrupted are reported and not repeated. Queued runs are run. */
  async load(): Promise<void> {
    const { store, clock, log } = this.#options
    const now = clock.now()
    for (let page = await store.jobs(undefined, BATCH); page.length; page = await store.jobs(page.at(-1)?.id, BATCH)) {
      for (const job of page) {
        try {
          this.index.set(withoutPayload(job))
          this.#advanceNextRun(job, now)
        } catch (error) {
          log.error(`failed to load job: ${messageOf(error)}`, { job: job.id })
        }
      }
    }
    const open = await store.openRuns()
    await this.#removeFinishedEvents(open)
    for (const run of open) {
      if (run.stage === 'action' && run.state === 'running') await this.#markInterrupted(run, now)
      this.runner.pool.add(run.jobId, run.id)
    }
  }

  /** Starts to take slots and to run them. */
  start(): void {
    this.runner.pool.open()
    this.#ticker.arm()
  }

  /** Takes no more slots and starts no more runs. Resolves when the slots being taken have their runs. */
  async stop(): Promise<void> {
    this.runner.pool.close()
    await this.#ticker.stop()
  }

  /** Resolves when the slots being taken have their runs. */
  slotsTaken(): Promise<void> {
    return this.#ticker.idle()
  }

  async add(job: NewJob): Promise<AssistantJob> {
    const stored = this.#create(job)
    if (this.index.get(stored.id)) throw new WireError('conflict', `There is a job "${stored.id}" already`)
    const now = this.#options.clock.now()
    const replaced =
      job.group === undefined ? [] : this.index.idsInGroup(job.group).filter((id) => !this.runner.pool.isBusy(id))
    const cancelled = replaced.map((id) => this.#cancelledRun(id, now))
    await this.#options.store.claim(cancelled, { jobs: [stored], removed: replaced })
    for (const id of replaced) this.index.delete(id)
    this.index.set(stored)
    this.#ticker.arm()
    this.#onChanged(stored.id)
    return this.index.view(stored.id) as AssistantJob
  }

  check(job: NewJob): void {
    this.#create(job)
  }

  async addAll(jobs: readonly NewJob[]): Promise<void> {
    const stored = jobs.map((job) => this.#create(job)).filter(({ id }) => !this.index.get(id))
    await this.#options.store.write({ jobs: stored })
    for (const job of stored) this.index.set(job)
    this.#ticker.arm()
    for (const { id } of stored) this.#onChanged(id)
  }

  async update(id: string, changes: JobChanges): Promise<AssistantJob> {
    const { clock, settings, collaborators } = this.#options
    const job = this.#require(id)
    const next = { ...job, ...changes, updatedAt: clock.now() } as StoredJob
    collaborators.checkAction(next.action)
    if (changes.action) checkCreator(next.action, job.creator)
    if (changes.trigger === undefined) return this.#change(job, next)
    return this.#change(job, { ...next, nextRunAt: firstRun(next.trigger, clock.now(), settings.timezone) })
  }

  async setEnabled(id: string, enabled: boolean): Promise<AssistantJob> {
    const job = this.#require(id)
    if (job.enabled === enabled && job.paused === null) return this.index.view(id) as AssistantJob
    const now = this.#options.clock.now()
    return this.#change(job, {
      ...job,
      enabled,
      paused: null,
      updatedAt: now,
      // Slots that passed while the job was paused are not run.
      ...(enabled ? { failures: 0, nextRunAt: this.#nextRunOf(job, now) } : {}),
    })
  }

  async remove(id: string): Promise<boolean> {
    if (!this.index.get(id)) return false
    await this.#options.store.write({ removed: [id] })
    this.index.delete(id)
    this.#onChanged(id)
    return true
  }

  get(id: string): AssistantJob | undefined {
    return this.index.view(id)
  }

  creatorOf(id: string): Creator | undefined {
    return this.index.get(id)?.creator
  }

  list({ limit = Infinity, before }: JobListOptions = {}): readonly AssistantJob[] {
    const found: AssistantJob[] = []
    for (const id of this.index.idsBefore(before)) {
      if (found.length >= limit) break
      found.push(this.index.view(id) as AssistantJob)
    }
    return found
  }

  async run(id: string, { slot, eventId, evenPaused = false }: JobRunOptions = {}): Promise<AcceptedRun> {
    const job = this.#require(id)
    if (!job.enabled && !evenPaused) throw new WireError('conflict', `The job "${id}" is paused`)
    const runId = newId()
    const found =
      eventId === undefined
        ? { freeSlot: slot ?? `manual:${runId}` }
        : await this.#findSlot(job.id, `${EVENT_SLOT_PREFIX}${eventId}`)
    if ('run' in found) return { runId: found.run.id, isDuplicate: true }
    return this.#enqueue(newRun(job.id, found.freeSlot, this.#options.clock.now(), runId))
  }

  async runOnce(job: NewJob, slot: string, key: string): Promise<AcceptedRun & { readonly jobId: string }> {
    const stored = this.#create({ ...job, id: key, once: true })
    const found = await this.#findSlot(key, slot)
    if ('run' in found) return { jobId: key, runId: found.run.id, isDuplicate: true }
    const accepted = await this.#enqueue(newRun(key, found.freeSlot, this.#options.clock.now()), stored)
    return { ...accepted, jobId: key }
  }

  /** Returns the run of a slot within the last day, or a slot name that is free. */
  async #findSlot(job: string, slot: string): Promise<{ readonly run: StoredRun } | { readonly freeSlot: string }> {
    const since = this.#options.clock.now() - DAY_MS
    for (let name = slot; ;) {
      const run = await this.#options.store.findRun(job, name)
      if (!run) return { freeSlot: name }
      if (run.createdAt > since) return { run }
      // An older run is a different event. The new name derives from it, so that concurrent requests agree on the name.
      name = `${slot}#${run.id}`
    }
  }

  async #enqueue(run: StoredRun, job?: StoredJob): Promise<AcceptedRun> {
    if (job && this.index.pendingEvents >= MAX_PENDING_EVENTS)
      throw new WireError('rate_limited', `${MAX_PENDING_EVENTS} events wait already`, { retryAfter: 60 })
    if (job && !this.index.get(job.id)) this.index.set(withoutPayload(job))
    let isAdded: boolean | undefined
    try {
      ;[isAdded] = await this.#options.store.claim([run], job ? { jobs: [job] } : {})
      if (isAdded) {
        this.runner.pool.add(run.jobId, run.id)
        return { runId: run.id, isDuplicate: false }
      }
    } finally {
      if (!isAdded && job && !this.runner.pool.isBusy(job.id)) this.index.delete(job.id)
    }
    const known = await this.#options.store.findRun(run.jobId, run.slot)
    return { runId: known?.id ?? run.id, isDuplicate: true }
  }

  #require(id: string): StoredJob {
    const job = this.index.get(id)
    if (!job) throw new WireError('not_found', `There is no job "${id.slice(0, 100)}"`)
    return job
  }

  #create(job: NewJob): StoredJob {
    const { clock, collaborators, settings } = this.#options
    collaborators.checkAction(job.action)
    return newJob(job, clock.now(), settings.timezone)
  }

  #nextRunOf(job: StoredJob, after: number): number | null {
    return this.index.timetableOf(job.id)?.next(after) ?? null
  }

  async #change(before: StoredJob, after: StoredJob): Promise<AssistantJob> {
    const changes = changedFields(before, after)
    await this.#options.store.write({ changes: [changes] })
    // The job may have changed during the write.
    const latest = this.index.get(after.id)
    if (!latest) throw new WireError('not_found', `There is no job "${after.id}"`)
    this.index.set({ ...latest, ...changes })
    this.#ticker.arm()
    this.#onChanged(after.id)
    return this.index.view(after.id) as AssistantJob
  }

  #cancelledRun(id: string, now: number): StoredRun {
    const slot = String(this.index.get(id)?.nextRunAt ?? now)
    const error = 'cancelled: a newer one took its place'
    return { ...newRun(id, slot, now), state: 'skipped', stage: 'ended', error, finishedAt: now }
  }

  /** Claims a run for each slot that is due. The engine that adds the row runs the slot. */
  async #takeDue(now: number): Promise<void> {
    const ids = this.index.due.take(now)
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH)
      try {
        await this.#takeBatch(batch, now)
      } catch (error) {
        // The jobs stay due.
        for (const id of batch) if (this.index.get(id)?.enabled) this.index.due.set(id, now + TAKE_RETRY_MS)
        if (!isTransient(error)) this.#options.log.error(`failed to enqueue due runs: ${messageOf(error)}`)
      }
      // Yield between batches, because the memory store never waits.
      await setImmediate()
    }
  }

  async #takeBatch(ids: readonly string[], now: number): Promise<void> {
    const plans = ids.flatMap((id) => {
      const job = this.index.get(id)
      const timetable = this.index.timetableOf(id)
      if (!job?.enabled || !timetable || job.nextRunAt === null) return []
      return [planDue(job, timetable, job.nextRunAt, now, this.runner.pool.isBusy(id))]
    })
    if (plans.length === 0) return
    const runs = plans.flatMap((plan) => plan.runs)
    const changes = plans.map(({ change }) => change)
    const lastRuns = new Map(changes.map(({ id }) => [id, this.index.get(id)?.lastRunAt]))
    const added = await this.#options.store.claim(runs, { changes })
    for (const { change, runs: planned } of plans) {
      const latest = this.index.get(change.id)
      if (!latest) continue
      // A run that ended during the write has a newer status of the job.
      const isStale = latest.lastRunAt !== lastRuns.get(change.id)
      this.index.set({
        ...latest,
        ...change,
        recent: planned.reduce((recent, run) => withRecent({ recent }, run), latest.recent),
        ...(isStale ? { lastStatus: latest.lastStatus, lastError: latest.lastError } : {}),
      })
    }
    runs.forEach((run, index) => {
      if (added[index] && run.stage === 'action') this.runner.pool.add(run.jobId, run.id)
    })
  }

  /** Computes the next runs again after the clock was set back, because the known ones are too far ahead. */
  async #clockSetBack(now: number): Promise<void> {
    this.#options.log.warn('the clock of this machine was set back; computing all next runs again')
    const ids = Array.from(this.index.ids())
    for (let from = 0; from < ids.length; from += BATCH) {
      for (const id of ids.slice(from, from + BATCH)) {
        const job = this.index.get(id)
        if (job) this.#advanceNextRun(job, now)
      }
      // Yield between batches.
      await setImmediate()
    }
  }

  /** Moves the next run of a job to an earlier time when its schedule has one. */
  #advanceNextRun(job: StoredJob, now: number): void {
    if (job.trigger.kind !== 'schedule' || !('cron' in job.trigger.schedule) || !job.enabled) return
    const next = this.#nextRunOf(job, now)
    // Slots that have run have a row, and therefore do not run again.
    if (next !== null && (job.nextRunAt === null || next < job.nextRunAt)) this.index.set({ ...job, nextRunAt: next })
  }

  /** Removes one-time event jobs whose run ended before a stop could remove them. */
  async #removeFinishedEvents(open: readonly StoredRun[]): Promise<void> {
    const pending = new Set(open.map(({ jobId }) => jobId))
    const finished = this.index.ids().filter((id) => {
      const job = this.index.get(id)
      return job?.once && job.trigger.kind === 'event' && !pending.has(id)
    })
    if (finished.length) await this.#options.store.write({ removed: finished })
    for (const id of finished) this.index.delete(id)
  }

  async #markInterrupted(run: StoredRun, now: number): Promise<void> {
    const job = this.index.get(run.jobId)
    const error = 'the host stopped while it ran'
    const stage = job ? 'notice' : 'ended'
    const ended: StoredRun = { ...run, state: 'interrupted', stage, error, finishedAt: now }
    const change = job && {
      id: job.id,
      lastStatus: 'interrupted' as const,
      lastError: error,
      lastRunAt: run.startedAt,
      recent: withRecent(job, ended),
      updatedAt: now,
    }
    await this.#options.store.write({
      runs: [{ id: run.id, state: ended.state, stage, error, finishedAt: now }],
      events: [ended],
      ...(change ? { changes: [change] } : {}),
    })
    if (job && change) this.index.set({ ...job, ...change })
  }
}
