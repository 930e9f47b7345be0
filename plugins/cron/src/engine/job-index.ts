import type { AssistantJob } from '@mynah/contract/types'
import { nextRuns, timetable, type Timetable } from '../schedule/timetable.js'
import { jobView, type StoredJob } from '../store/types.js'
import { DueQueue } from './due-queue.js'

/** Upcoming runs that are shown for a schedule. */
const UPCOMING_RUNS = 5

interface Entry {
  readonly job: StoredJob
  readonly timetable: Timetable | undefined
  view: AssistantJob | undefined
  upcoming: readonly number[] | undefined
}

/** All jobs of the host in memory, by id, by group and by due time. */
export class JobIndex {
  readonly due = new DueQueue()
  readonly #entries = new Map<string, Entry>()
  readonly #groups = new Map<string, Set<string>>()
  /** Ids in ascending order, which is the order of creation. */
  readonly #ids: string[] = []
  readonly #defaultZone: () => string | undefined
  #pendingEvents = 0

  constructor(defaultZone: () => string | undefined) {
    this.#defaultZone = defaultZone
  }

  /** Number of one-time jobs that events have created and that have not run yet. */
  get pendingEvents(): number {
    return this.#pendingEvents
  }

  get(id: string): StoredJob | undefined {
    return this.#entries.get(id)?.job
  }

  timetableOf(id: string): Timetable | undefined {
    return this.#entries.get(id)?.timetable
  }

  idsInGroup(key: string): readonly string[] {
    return Array.from(this.#groups.get(key) ?? [])
  }

  /**
   * Adds a job, or replaces one that is not newer.
   *
   * @throws WireError `invalid_request` when its schedule is invalid
   */
  set(job: StoredJob): void {
    const before = this.#entries.get(job.id)
    if (before && before.job.revision > job.revision) return
    const isSameSchedule = before && before.job.trigger === job.trigger
    this.#entries.set(job.id, {
      job,
      timetable: isSameSchedule ? before.timetable : this.#timetableFor(job),
      view: undefined,
      upcoming: isSameSchedule ? before.upcoming : undefined,
    })
    if (!before) {
      this.#ids.splice(this.#positionOf(job.id), 0, job.id)
      if (isPendingEvent(job)) this.#pendingEvents++
      if (job.groupKey !== null)
        this.#groups.set(job.groupKey, (this.#groups.get(job.groupKey) ?? new Set()).add(job.id))
    }
    this.due.set(job.id, job.enabled ? (job.nextRunAt ?? undefined) : undefined)
  }

  /**
   * Adds a job as it is stored. Its next run becomes an earlier one when the clock was set back since, because the
   * stored one is too far ahead then.
   */
  load(job: StoredJob, now: number): void {
    this.set(job)
    this.advance(job.id, now)
  }

  /** Moves the next run of a job to an earlier time when its schedule has one. Slots that have run do not run again. */
  advance(id: string, now: number): void {
    const entry = this.#entries.get(id)
    if (!entry?.timetable || !entry.job.enabled || entry.timetable.zone === undefined) return
    const { job } = entry
    const next = entry.timetable.next(now)
    if (next !== undefined && (job.nextRunAt === null || next < job.nextRunAt)) this.set({ ...job, nextRunAt: next })
  }

  delete(id: string): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    this.due.set(id, undefined)
    this.#ids.splice(this.#positionOf(id), 1)
    if (isPendingEvent(entry.job)) this.#pendingEvents--
    const { groupKey } = entry.job
    if (groupKey === null) return true
    const group = this.#groups.get(groupKey)
    if (group?.delete(id) && group.size === 0) this.#groups.delete(groupKey)
    return true
  }

  ids(): readonly string[] {
    return this.#ids
  }

  /** Iterates in descending order over the ids before the given one, which need not exist, or over all ids. */
  *idsBefore(id: string | undefined): Generator<string> {
    const end = id === undefined ? this.#ids.length : this.#positionOf(id)
    for (let position = end - 1; position >= 0; position--) yield this.#ids[position] as string
  }

  view(id: string): AssistantJob | undefined {
    const entry = this.#entries.get(id)
    return entry && (entry.view ??= jobView(entry.job))
  }

  /** Returns the next runs of an enabled job. */
  upcoming(id: string, now: number): readonly number[] {
    const entry = this.#entries.get(id)
    if (!entry?.timetable || !entry.job.enabled) return []
    const first = entry.upcoming?.[0]
    // The cached runs are valid until the first one has passed, or the clock was set back.
    if (!entry.upcoming || (first ?? Infinity) <= now || first !== entry.job.nextRunAt)
      entry.upcoming = nextRuns(entry.timetable, now, UPCOMING_RUNS)
    return entry.upcoming
  }

  /** Returns the index of an id in the order, or the one at which it would be inserted. */
  #positionOf(id: string): number {
    let [low, high] = [0, this.#ids.length]
    // New ids sort last.
    if (high > 0 && (this.#ids[high - 1] as string) < id) return high
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ids[middle] as string) < id) low = middle + 1
      else high = middle
    }
    return low
  }

  #timetableFor({ trigger }: StoredJob): Timetable | undefined {
    return trigger.kind === 'schedule' ? timetable(trigger.schedule, this.#defaultZone()) : undefined
  }
}

const isPendingEvent = ({ once, trigger }: StoredJob): boolean => once && trigger.kind === 'event'
