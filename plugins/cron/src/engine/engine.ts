// The engine: keeps jobs, gives each slot its row, and hands runs to the runner.
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { newId } from '@mynah/plugin-database/api'
import type { AssistantJob } from '@mynah/contract/types'
import type { Accepted, Creator, JobChanges, Jobs, NewJob } from '../api.js'
import { EVENT_SLOT, type StoredJob, type StoredRun } from '../store/types.js'
import { Book } from './book.js'
import { dueOf } from './due.js'
import { mayPass } from './failure.js'
import { changesOf, checkFor, firstRun, light, newJob, newRun } from './make.js'
import { Pruner } from './pruner.js'
import { Runner, recentWith, type RunnerDeps } from './runner.js'
import { Ticker } from './ticker.js'

const DAY_MS = 86_400_000
/** Pause before slots are taken again that could not be stored, ms. */
const AGAIN_MS = 5_000
/** Jobs for once that wait at most. */
const MAX_ONCE = 5_000
/** Jobs that are read, or whose slots are taken, at once. */
const BATCH = 200

export interface EngineDeps extends Omit<RunnerDeps, 'book' | 'ended' | 'node'> {
  readonly zone: () => string | undefined
  /** Told of jobs that somebody added, changed or removed. */
  readonly changed: (id: string) => void
  /** Throws where an action can never run as it is. */
  readonly check: (job: Pick<NewJob, 'action' | 'creator'>) => void
}

export class Engine implements Jobs {
  readonly book: Book
  readonly runner: Runner
  readonly #deps: EngineDeps
  readonly #ticker: Ticker

  constructor(deps: EngineDeps) {
    this.#deps = deps
    const pruner = new Pruner(deps)
    this.book = new Book(deps.zone)
    this.runner = new Runner({
      ...deps,
      book: this.book,
      node: newId(),
      ended: (job) => pruner.hasEnded(job, this.book.get(job) === undefined),
    })
    this.#ticker = new Ticker({
      clock: deps.clock,
      earliest: () => this.book.due.earliest,
      due: (now) => this.#due(now),
      setBack: (now) => this.#setBack(now),
    })
  }

  get durable(): boolean {
    return this.#deps.store.durable
  }

  /** Takes up what is stored. A run that a stop interrupted is told and not begun again; one that had not begun is run. */
  async load(): Promise<void> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    for (let page = await store.jobs(undefined, BATCH); page.length; page = await store.jobs(page.at(-1)?.id, BATCH)) {
      for (const job of page) {
        try {
          this.book.set(light(job))
          this.#correct(job, now)
        } catch (error) {
          log.error(`a stored job cannot be used: ${messageOf(error)}`, { job: job.id })
        }
      }
    }
    const open = await store.open()
    const begun = new Set(open.map(({ job_id }) => job_id))
    // A job for once whose run has ended is over, whatever a stop left of it.
    const over = this.book
      .ids()
      .filter((id) => this.book.get(id)?.once && this.book.get(id)?.trigger.kind === 'event' && !begun.has(id))
    if (over.length) await store.write({ removed: over })
    for (const id of over) this.book.delete(id)
    for (const run of open) {
      if (run.stage === 'action' && run.state === 'running') await this.#interrupted(run, now)
      this.runner.places.add(run.job_id, run.id)
    }
  }

  /** From here on slots are taken and runs are started. */
  begin(): void {
    this.runner.places.open()
    this.#ticker.arm()
  }

  /** Takes no more slots and starts no more runs; resolves when those that are being taken have their rows. */
  async end(): Promise<void> {
    this.runner.places.close()
    await this.#ticker.end()
  }

  /** Resolves when slots that are being taken have their rows. */
  taken(): Promise<void> {
    return this.#ticker.idle()
  }

  async add(job: NewJob): Promise<AssistantJob> {
    const stored = this.#make(job)
    if (this.book.get(stored.id)) throw new WireError('conflict', `There is a job "${stored.id}" already`)
    const now = this.#deps.clock.now()
    const replaced =
      job.group === undefined ? [] : this.book.inGroup(job.group).filter((id) => !this.runner.places.isBusy(id))
    const rows = replaced.map((id) => this.#cancelled(id, now))
    await this.#deps.store.take(rows, { jobs: [stored], removed: replaced })
    for (const id of replaced) this.book.delete(id)
    this.book.set(stored)
    this.#ticker.arm()
    this.#deps.changed(stored.id)
    return this.book.view(stored.id) as AssistantJob
  }

  check(job: NewJob): void {
    this.#make(job)
  }

  async addAll(jobs: readonly NewJob[]): Promise<void> {
    const stored = jobs.map((job) => this.#make(job)).filter(({ id }) => !this.book.get(id))
    await this.#deps.store.write({ jobs: stored })
    for (const job of stored) this.book.set(job)
    this.#ticker.arm()
    for (const { id } of stored) this.#deps.changed(id)
  }

  async update(id: string, changes: JobChanges): Promise<AssistantJob> {
    const job = this.#known(id)
    const next: StoredJob = { ...job, ...changes, updated_at: this.#deps.clock.now() } as StoredJob
    this.#deps.check({ action: next.action, creator: job.creator })
    if (changes.action) checkFor(next.action, job.creator)
    const rescheduled =
      changes.trigger === undefined
        ? next
        : { ...next, next_run_at: firstRun(next.trigger, this.#deps.clock.now(), this.#deps.zone()) }
    return this.#change(job, rescheduled)
  }

  async setEnabled(id: string, enabled: boolean): Promise<AssistantJob> {
    const job = this.#known(id)
    if (job.enabled === enabled && job.paused === null) return this.book.view(id) as AssistantJob
    const now = this.#deps.clock.now()
    // What passed while it was paused has passed.
    return this.#change(job, {
      ...job,
      enabled,
      paused: null,
      updated_at: now,
      ...(enabled ? { failures: 0, next_run_at: this.#nextOf(job, now) } : {}),
    })
  }

  async remove(id: string): Promise<boolean> {
    if (!this.book.get(id)) return false
    await this.#deps.store.write({ removed: [id] })
    this.book.delete(id)
    this.#deps.changed(id)
    return true
  }

  get(id: string): AssistantJob | undefined {
    return this.book.view(id)
  }

  creatorOf(id: string): Creator | undefined {
    return this.book.get(id)?.creator
  }

  list({
    limit = Infinity,
    before,
  }: { readonly limit?: number; readonly before?: string } = {}): readonly AssistantJob[] {
    const found: AssistantJob[] = []
    for (const id of this.book.before(before)) {
      if (found.length >= limit) break
      found.push(this.book.view(id) as AssistantJob)
    }
    return found
  }

  async run(
    id: string,
    {
      slot,
      eventId,
      evenPaused = false,
    }: { readonly slot?: string; readonly eventId?: string; readonly evenPaused?: boolean } = {},
  ): Promise<Accepted> {
    const job = this.#known(id)
    if (!job.enabled && !evenPaused) throw new WireError('conflict', `The job "${id}" is paused`)
    const runId = newId()
    const place =
      eventId === undefined
        ? { name: slot ?? `manual:${runId}` }
        : await this.#placeToday(job.id, `${EVENT_SLOT}${eventId}`)
    if ('known' in place) return { runId: place.known.id, isRepeated: true }
    return this.#accept(newRun(job.id, place.name, this.#deps.clock.now(), runId))
  }

  async runOnce(job: NewJob, slot: string, key: string): Promise<Accepted & { readonly jobId: string }> {
    const stored = this.#make({ ...job, id: key, once: true })
    const place = await this.#placeToday(key, slot)
    if ('known' in place) return { jobId: key, runId: place.known.id, isRepeated: true }
    return { ...(await this.#accept(newRun(key, place.name, this.#deps.clock.now()), stored)), jobId: key }
  }

  /** The run that has taken a slot within a day, or the name under which it is free. */
  async #placeToday(job: string, slot: string): Promise<{ readonly known: StoredRun } | { readonly name: string }> {
    const since = this.#deps.clock.now() - DAY_MS
    for (let name = slot; ;) {
      const known = await this.#deps.store.runOf(job, name)
      if (!known) return { name }
      if (known.created_at > since) return { known }
      // What is older than a day is another one; its name follows from the older, so that two who ask at once mean the same.
      name = `${slot}#${known.id}`
    }
  }

  async #accept(row: StoredRun, job?: StoredJob): Promise<Accepted> {
    if (job && this.book.waiting >= MAX_ONCE)
      throw new WireError('rate_limited', `${MAX_ONCE} events wait already`, { retryAfter: 60 })
    if (job && !this.book.get(job.id)) this.book.set(light(job))
    try {
      const [added] = await this.#deps.store.take([row], job ? { jobs: [job] } : {})
      if (added) {
        this.runner.places.add(row.job_id, row.id)
        return { runId: row.id, isRepeated: false }
      }
    } catch (error) {
      if (job && !this.runner.places.isBusy(job.id)) this.book.delete(job.id)
      throw error
    }
    if (job && !this.runner.places.isBusy(job.id)) this.book.delete(job.id)
    const known = await this.#deps.store.runOf(row.job_id, row.slot)
    return { runId: known?.id ?? row.id, isRepeated: true }
  }

  #known(id: string): StoredJob {
    const job = this.book.get(id)
    if (!job) throw new WireError('not_found', `There is no job "${id.slice(0, 100)}"`)
    return job
  }

  #make(job: NewJob): StoredJob {
    const { clock, check, zone } = this.#deps
    check(job)
    return newJob(job, clock.now(), zone())
  }

  #nextOf(job: StoredJob, after: number): number | null {
    return this.book.tableOf(job.id)?.next(after) ?? null
  }

  async #change(before: StoredJob, after: StoredJob): Promise<AssistantJob> {
    await this.#deps.store.write({ changes: [changesOf(before, after)] })
    // Something else may have changed it while this was written.
    const latest = this.book.get(after.id)
    if (!latest) throw new WireError('not_found', `There is no job "${after.id}"`)
    this.book.set({ ...latest, ...changesOf(before, after) })
    this.#ticker.arm()
    this.#deps.changed(after.id)
    return this.book.view(after.id) as AssistantJob
  }

  #cancelled(id: string, now: number): StoredRun {
    const job = this.book.get(id)
    return {
      ...newRun(id, String(job?.next_run_at ?? now), now),
      state: 'skipped',
      stage: 'ended',
      error: 'cancelled: a newer one took its place',
      finished_at: now,
    }
  }

  /** Gives the slots that have come their rows; whoever adds the row runs it. */
  async #due(now: number): Promise<void> {
    const ids = this.book.due.take(now)
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH)
      try {
        await this.#take(batch, now)
      } catch (error) {
        // They stay due, and are looked at again.
        for (const id of batch) if (this.book.get(id)?.enabled) this.book.due.set(id, now + AGAIN_MS)
        if (!mayPass(error)) this.#deps.log.error(`slots could not be taken: ${messageOf(error)}`)
      }
      // Others have their turn between two batches, also where the store is memory.
      await setImmediate()
    }
  }

  async #take(ids: readonly string[], now: number): Promise<void> {
    const found = ids.flatMap((id) => {
      const [job, table] = [this.book.get(id), this.book.tableOf(id)]
      return job?.enabled && table && job.next_run_at !== null
        ? [dueOf(job, table, job.next_run_at, now, this.runner.places.isBusy(id))]
        : []
    })
    const [rows, changes] = [found.flatMap((due) => due.rows), found.map(({ change }) => change)]
    if (changes.length === 0) return
    const before = new Map(changes.map(({ id }) => [id, this.book.get(id)?.last_run_at]))
    const added = await this.#deps.store.take(rows, { changes })
    for (const change of changes) {
      const latest = this.book.get(change.id)
      if (!latest) continue
      // A run may have ended while this was written: what it said of the job holds.
      const mine = rows.filter(({ job_id }) => job_id === change.id)
      const isStale = latest.last_run_at !== before.get(change.id)
      this.book.set({
        ...latest,
        ...change,
        recent: mine.reduce((recent, row) => recentWith({ recent }, row), latest.recent),
        ...(isStale ? { last_status: latest.last_status, last_error: latest.last_error } : {}),
      })
    }
    rows.forEach((row, index) => {
      if (added[index] && row.stage === 'action') this.runner.places.add(row.job_id, row.id)
    })
  }

  /** A clock that was set back, here or while the host was away: times that were found before lie too far ahead. */
  async #setBack(now: number): Promise<void> {
    this.#deps.log.warn('the clock of this machine was set back; the next runs are found anew')
    const ids = Array.from(this.book.ids())
    for (let from = 0; from < ids.length; from += BATCH) {
      for (const id of ids.slice(from, from + BATCH)) {
        const job = this.book.get(id)
        if (job) this.#correct(job, now)
      }
      // Others have their turn between two batches.
      await setImmediate()
    }
  }

  #correct(job: StoredJob, now: number): void {
    if (job.trigger.kind !== 'schedule' || !('cron' in job.trigger.schedule) || !job.enabled) return
    const next = this.#nextOf(job, now)
    // Slots that ran are in their rows and do not run again.
    if (next !== null && (job.next_run_at === null || next < job.next_run_at))
      this.book.set({ ...job, next_run_at: next })
  }

  async #interrupted(run: StoredRun, now: number): Promise<void> {
    const job = this.book.get(run.job_id)
    const why = 'the host stopped while it ran'
    const ended: StoredRun = {
      ...run,
      state: 'interrupted',
      stage: job ? 'notice' : 'ended',
      error: why,
      finished_at: now,
    }
    const change = job && {
      id: job.id,
      last_status: 'interrupted' as const,
      last_error: why,
      last_run_at: run.started_at,
      recent: recentWith(job, ended),
      updated_at: now,
    }
    await this.#deps.store.write({
      runs: [{ id: run.id, state: ended.state, stage: ended.stage, error: why, finished_at: now }],
      events: [ended],
      ...(change ? { changes: [change] } : {}),
    })
    if (job && change) this.book.set({ ...job, ...change })
  }
}
