// All jobs as this host holds them: by id, by group, and by when they are due.
import type { AssistantJob } from '@mynah/contract/types'
import { nextRuns, timetable, type Timetable } from '../schedule/next.js'
import { jobView, type StoredJob } from '../store/types.js'
import { DueQueue } from './due-queue.js'

/** Runs of a schedule that are told ahead. */
const TOLD = 5

interface Entry {
  readonly job: StoredJob
  readonly table: Timetable | undefined
  view: AssistantJob | undefined
  ahead: readonly number[] | undefined
}

export class Book {
  readonly due = new DueQueue()
  readonly #entries = new Map<string, Entry>()
  readonly #groups = new Map<string, Set<string>>()
  #once = 0
  readonly #zone: () => string | undefined
  /** Ids in order. */
  readonly #order: string[] = []

  constructor(zone: () => string | undefined) {
    this.#zone = zone
  }

  /** Jobs for once that came from outside. */
  get waiting(): number {
    return this.#once
  }

  get(id: string): StoredJob | undefined {
    return this.#entries.get(id)?.job
  }

  tableOf(id: string): Timetable | undefined {
    return this.#entries.get(id)?.table
  }

  inGroup(key: string): readonly string[] {
    return Array.from(this.#groups.get(key) ?? [])
  }

  /** Takes a job in, or as it is now. Throws `invalid_request` where its schedule cannot be used. */
  set(job: StoredJob): void {
    const before = this.#entries.get(job.id)
    const isSame = before && before.job.trigger === job.trigger
    const table = isSame ? before.table : this.#tableFor(job)
    this.#entries.set(job.id, { job, table, view: undefined, ahead: isSame ? before.ahead : undefined })
    if (!before) {
      this.#order.splice(this.#placeOf(job.id), 0, job.id)
      if (isFromOutside(job)) this.#once++
      if (job.group_key !== null)
        this.#groups.set(job.group_key, (this.#groups.get(job.group_key) ?? new Set()).add(job.id))
    }
    this.due.set(job.id, job.enabled ? (job.next_run_at ?? undefined) : undefined)
  }

  delete(id: string): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    this.due.set(id, undefined)
    this.#order.splice(this.#placeOf(id), 1)
    if (isFromOutside(entry.job)) this.#once--
    const { group_key } = entry.job
    const group = group_key === null ? undefined : this.#groups.get(group_key)
    if (group?.delete(id) && group.size === 0) this.#groups.delete(group_key as string)
    return true
  }

  ids(): readonly string[] {
    return this.#order
  }

  /** Ids that come before one, which need not be there; of all without one, newest first. */
  *before(id: string | undefined): Generator<string> {
    for (let at = (id === undefined ? this.#order.length : this.#placeOf(id)) - 1; at >= 0; at--)
      yield this.#order[at] as string
  }

  view(id: string): AssistantJob | undefined {
    const entry = this.#entries.get(id)
    return entry && (entry.view ??= jobView(entry.job))
  }

  /** The next runs of a job that is not paused. */
  ahead(id: string, now: number): readonly number[] {
    const entry = this.#entries.get(id)
    if (!entry?.table || !entry.job.enabled) return []
    // What was told holds until its first has come, or the clock was set back.
    if (!entry.ahead || (entry.ahead[0] ?? Infinity) <= now || entry.ahead[0] !== entry.job.next_run_at)
      entry.ahead = nextRuns(entry.table, now, TOLD)
    return entry.ahead
  }

  /** Where an id stands, or would stand. */
  #placeOf(id: string): number {
    let [low, high] = [0, this.#order.length]
    // Most ids are the newest.
    if (high > 0 && (this.#order[high - 1] as string) < id) return high
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#order[middle] as string) < id) low = middle + 1
      else high = middle
    }
    return low
  }

  #tableFor({ trigger }: StoredJob): Timetable | undefined {
    return trigger.kind === 'schedule' ? timetable(trigger.schedule, this.#zone()) : undefined
  }
}

const isFromOutside = ({ once, trigger }: StoredJob): boolean => once && trigger.kind === 'event'
