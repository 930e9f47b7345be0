import { WireError } from '@mynah/contract'
import { newId } from '@mynah/database-api'
import type { AssistantJob } from '@mynah/contract/types'
import type {
  AcceptedRun,
  Creator,
  JobChanges,
  JobListOptions,
  JobRemoval,
  JobRunOptions,
  Jobs,
  NewJob,
} from '../api.js'
import { EVENT_SLOT_PREFIX, type JobFields, type StoredJob, type StoredRun } from '../store/types.js'
import { Commits } from './commits.js'
import { findSlot } from './find-slot.js'
import { cancelledRun, checkCreator, firstRun, newJob, newRun, withoutPayload } from './job-factory.js'
import { isInputUnchanged } from './run-input.js'
import { JobIndex } from './job-index.js'
import { JobLoader } from './job-loader.js'
import { JobWriter } from './job-writer.js'
import type { EngineOptions } from './options.js'
import { RunPruner } from './run-pruner.js'
import { RunStopped } from './run-stopped.js'
import { RunWriter } from './run-writer.js'
import { Runner } from './runner.js'
import { SlotTaker } from './slot-taker.js'
import { Ticker } from './ticker.js'
import { UndeliveredResults } from './undelivered-results.js'

/** Most events that may wait for their run. */
const MAX_PENDING_EVENTS = 5_000

/** Keeps jobs, claims a run for each due slot, and passes runs to the runner. */
export class Engine implements Jobs {
  readonly index: JobIndex
  readonly runner: Runner
  readonly undelivered: UndeliveredResults
  readonly #options: EngineOptions
  readonly #onChanged: (id: string) => void
  readonly #jobs: JobWriter
  readonly #commits: Commits
  readonly #runs: RunWriter
  readonly #loader: JobLoader
  readonly #ticker: Ticker

  /** @param onChanged called with each job that was added, changed or removed */
  constructor(options: EngineOptions, onChanged: (id: string) => void) {
    const { settings, clock, store } = options
    const pruner = new RunPruner(options)
    this.#options = options
    this.#onChanged = onChanged
    this.index = new JobIndex(() => settings.timezone)
    this.#jobs = new JobWriter(store, this.index, clock)
    this.#runs = new RunWriter(options, this.index, this.#jobs)
    this.runner = new Runner(options, this.index, this.#runs, (job) =>
      pruner.runEnded(job, this.index.get(job) === undefined),
    )
    this.undelivered = new UndeliveredResults({
      options,
      index: this.index,
      writer: this.#runs,
      changeJob: (id, compute) => this.#change(id, compute),
    })
    this.#loader = new JobLoader(options, this.index, this.#jobs, this.runner)
    this.#commits = new Commits(options, {
      refresh: (job) => this.#refresh(job),
      found: (run) => this.#loader.takeUp(run),
    })
    const parts = { options, index: this.index, jobs: this.#jobs, commits: this.#commits }
    const slots = new SlotTaker(parts, {
      node: this.#runs.node,
      isBusy: (id) => this.runner.pool.isBusy(id),
      added: (runs) => this.#addRuns(runs),
    })
    this.#ticker = new Ticker(clock, {
      earliest: () => this.index.due.earliest,
      takeDue: (now) => slots.takeDue(now),
      clockSetBack: (now) => this.#loader.clockSetBack(now),
    })
  }

  get durable(): boolean {
    return this.#options.store.durable
  }

  /** Loads the stored jobs. Runs that a stop interrupted are reported and not repeated. Queued runs are run. */
  load(): Promise<void> {
    return this.#loader.load()
  }

  /** Loads the stored jobs, without their runs, for an engine that only changes them. */
  async mirror(): Promise<void> {
    await this.#ticker.stop()
    await this.#loader.loadJobs()
  }

  /** Starts to take slots and to run them. */
  start(): void {
    this.runner.pool.open()
    this.#ticker.open()
  }

  /** Shows a job that another engine has changed, and stops its run where that has paused or removed it. */
  async followChange(id: string): Promise<void> {
    const job = await this.#jobs.refresh(id)
    this.#ticker.arm()
    if (!job) this.runner.stopJob(id, new RunStopped('the job was removed', false))
    else if (!job.enabled && job.paused === null) this.runner.stopJob(id, new RunStopped('the job was paused', false))
  }

  /** Runs a run that another engine has stored. */
  async followRun(id: string): Promise<void> {
    const run = await this.#options.store.run(id)
    if (!run || run.stage === 'ended') return
    await this.#jobs.refresh(run.jobId)
    this.#addRun(run, false)
  }

  /** Shows all jobs as they are stored, and takes up the runs that other engines have stored where this one `runs`. */
  async reload(runs: boolean): Promise<void> {
    await this.#loader.loadJobs()
    if (!runs) return this.#ticker.arm()
    for (const run of await this.#options.store.openRuns())
      if (run.state === 'queued' && run.node !== this.#runs.node && !this.runner.pool.isBusy(run.jobId))
        this.#addRun(run, false)
    this.#ticker.arm()
  }

  /** Shows all jobs as they are stored, where another engine runs them. */
  async fresh(): Promise<void> {
    const { sharing } = this.#options
    if (sharing && !sharing.isHere()) await this.#loader.loadJobs()
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
    const { store, clock, counters } = this.#options
    const stored = this.#create(job)
    for (;;) {
      if (this.index.get(stored.id)) throw new WireError('conflict', `There is a job "${stored.id}" already`)
      const replaced =
        job.group === undefined ? [] : this.index.idsInGroup(job.group).flatMap((id) => this.#pending(id))
      const now = clock.now()
      const cancelled = replaced.map((one) => cancelledRun(one, now, this.#runs.node))
      const written = store.write({ jobs: [stored], removed: replaced, added: cancelled })
      const jobs = [stored.id, ...replaced.map((one) => one.id)]
      if (await this.#commits.answer(written, { jobs, runs: cancelled })) {
        for (const { id } of replaced) this.index.delete(id)
        for (const run of cancelled) counters.count(run)
        break
      }
      // One of the rows has changed.
      for (const id of jobs) await this.#jobs.refresh(id)
    }
    this.index.set(stored)
    this.#ticker.arm()
    this.#onChanged(stored.id)
    return this.index.view(stored.id) as AssistantJob
  }

  check(job: NewJob): void {
    this.#create(job)
  }

  async addAll(jobs: readonly NewJob[]): Promise<void> {
    const all = jobs.map((job) => this.#create(job))
    let added = all
    do {
      added = all.filter(({ id }) => !this.index.get(id))
      const ids = added.map(({ id }) => id)
      if (await this.#commits.answer(this.#options.store.write({ jobs: added }), { jobs: ids })) break
      for (const { id } of added) await this.#jobs.refresh(id)
    } while (added.length)
    for (const job of added) this.index.set(job)
    this.#ticker.arm()
    for (const { id } of added) this.#onChanged(id)
  }

  async update(id: string, changes: JobChanges | ((job: AssistantJob) => JobChanges)): Promise<AssistantJob> {
    const { clock, settings, collaborators } = this.#options
    return this.#change(id, (job) => {
      const wanted = typeof changes === 'function' ? changes(this.index.view(id) as AssistantJob) : changes
      const action = wanted.action ?? job.action
      collaborators.checkAction(action)
      if (wanted.action) checkCreator(action, job.creator)
      const now = clock.now()
      const to = { ...wanted, updatedAt: now } as JobFields
      return wanted.trigger === undefined ? to : { ...to, nextRunAt: firstRun(wanted.trigger, now, settings.timezone) }
    })
  }

  async setEnabled(id: string, enabled: boolean): Promise<AssistantJob> {
    const now = this.#options.clock.now()
    const view = await this.#change(id, (job) => {
      if (job.enabled === enabled && job.paused === null) return undefined
      // Slots that passed while the job was paused are not run.
      const resumed = { failures: 0, nextRunAt: this.index.timetableOf(id)?.next(now) ?? null }
      return { enabled, paused: null, updatedAt: now, ...(enabled ? resumed : {}) }
    })
    if (!enabled) this.runner.stopJob(id, new RunStopped('the job was paused', false))
    return view
  }

  async remove(id: string, { keepsActiveRun = false }: JobRemoval = {}): Promise<boolean> {
    for (let job = this.index.get(id); ; job = await this.#jobs.refresh(id)) {
      if (!job) return false
      if (await this.#commits.answer(this.#options.store.write({ removed: [job] }), { jobs: [id] })) break
    }
    this.index.delete(id)
    if (!keepsActiveRun) this.runner.stopJob(id, new RunStopped('the job was removed', false))
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
        : await findSlot(this.#options, job.id, `${EVENT_SLOT_PREFIX}${eventId}`)
    if ('run' in found) return { runId: found.run.id, isDuplicate: true }
    const run = newRun(job.id, found.freeSlot, this.#options.clock.now(), this.#runs.node, runId)
    return this.#enqueue(run, undefined, !evenPaused)
  }

  /**
   * Runs the job of a run that has ended once more, with the input that this one had, even while it is paused.
   *
   * @throws `not_found` without the run or its job, `conflict` where it has not ended or the job was changed
   */
  async repeat(runId: string): Promise<AcceptedRun> {
    const run = await this.#runs.read(runId)
    const job = run && this.index.get(run.jobId)
    if (!run || !job) throw new WireError('not_found', `There is no run "${runId.slice(0, 100)}" of a job`)
    if (run.stage !== 'ended') throw new WireError('conflict', 'This run has not ended')
    if (!isInputUnchanged(job, run))
      throw new WireError('conflict', 'The job was changed after this run, which cannot be repeated')
    const id = newId()
    const { node } = this.#runs
    return this.#enqueue({
      ...newRun(job.id, `manual:${id}`, this.#options.clock.now(), node, id),
      input: run.input,
    })
  }

  async runOnce(job: NewJob, slot: string, key: string): Promise<AcceptedRun & { readonly jobId: string }> {
    const stored = this.#create({ ...job, id: key, once: true })
    const found = await findSlot(this.#options, key, slot)
    if ('run' in found) return { jobId: key, runId: found.run.id, isDuplicate: true }
    const accepted = await this.#enqueue(
      newRun(key, found.freeSlot, this.#options.clock.now(), this.#runs.node),
      stored,
    )
    return { ...accepted, jobId: key }
  }

  /** @param needsEnabled the run is skipped where its job is paused before the run is stored */
  async #enqueue(run: StoredRun, job?: StoredJob, needsEnabled = false): Promise<AcceptedRun> {
    if (job) this.#expectEvent(job)
    let isAdded = false
    try {
      const claimed = this.#options.store.claim([{ runs: [run], ...(job ? { job } : {}) }])
      const [added] = await this.#commits.answer(claimed, { runs: [run] })
      isAdded = added?.[0] === true
      if (isAdded) {
        this.#addRun(run, needsEnabled)
        return { runId: run.id, isDuplicate: false }
      }
    } finally {
      if (!isAdded && job && !this.runner.pool.isBusy(job.id)) this.index.delete(job.id)
    }
    const known = await this.#options.store.findRun(run.jobId, run.slot)
    return { runId: known?.id ?? run.id, isDuplicate: true }
  }

  /** Counts the job of an event that is about to be stored. */
  #expectEvent(job: StoredJob): void {
    if (this.index.pendingEvents >= MAX_PENDING_EVENTS)
      throw new WireError('rate_limited', `${MAX_PENDING_EVENTS} events wait already`, { retryAfter: 60 })
    if (!this.index.get(job.id)) this.index.set(withoutPayload(job))
  }

  /** Queues a stored run. Its job may have changed while the run was stored. */
  #addRun({ id, jobId }: StoredRun, needsEnabled: boolean): void {
    const { sharing } = this.#options
    if (sharing && !sharing.isHere()) return sharing.passOn(id)
    const job = this.index.get(jobId)
    if (job && (job.enabled || !needsEnabled)) return this.runner.add(jobId, id)
    this.runner.discard(jobId, id, new RunStopped(job ? 'the job was paused' : 'the job was removed', false))
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

  async #change(id: string, compute: (job: StoredJob) => JobFields | undefined): Promise<AssistantJob> {
    const before = this.#require(id)
    const changed = await this.#commits.answer(this.#jobs.change(id, compute), { jobs: [id] })
    if (!changed) throw new WireError('not_found', `There is no job "${id.slice(0, 100)}"`)
    if (changed !== before) {
      this.#ticker.arm()
      this.#onChanged(id)
    }
    return this.index.view(id) as AssistantJob
  }

  /** Shows a job as it is stored, after a commit without an answer may have changed it. */
  async #refresh(id: string): Promise<void> {
    const before = this.index.get(id)
    const now = await this.#jobs.refresh(id)
    if (now?.revision === before?.revision) return
    this.#ticker.arm()
    this.#onChanged(id)
  }

  /** Returns a job that waits for its slot. */
  #pending(id: string): StoredJob[] {
    const job = this.index.get(id)
    // The slot of one without a next run was taken.
    const isTaken = job?.trigger.kind === 'schedule' && job.nextRunAt === null
    return job && !isTaken && !this.runner.pool.isBusy(id) ? [job] : []
  }

  #addRuns(runs: readonly StoredRun[]): void {
    for (const run of runs) {
      if (run.stage === 'ended') this.#options.counters.count(run)
      else this.#addRun(run, false)
    }
  }
}
