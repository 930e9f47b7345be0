import type { Activity } from '@mynah/contract/types'
import { ActivityRing, COUNTS, LETTERS, worse, type Count, type Slots } from './activity-ring.js'
import type { EndpointKey } from './api/store.js'
import { EndpointMap } from './util/endpoint-map.js'

const MINUTE_MS = 60_000
/** Minutes that are kept one by one, and hours. */
const MINUTES = 1_440
const HOURS = 168
/** How many answer times are remembered. */
const ANSWERS = 1_024

const hourOf = (minute: number): number => Math.floor(minute / 60)

/** Figures of one endpoint: by the minute for a day, by the hour for a week. */
class EndpointActivity {
  readonly key: EndpointKey
  readonly minutes: ActivityRing
  readonly hours: ActivityRing

  constructor(key: EndpointKey, minute: number) {
    this.key = key
    this.minutes = new ActivityRing(MINUTES, minute)
    this.hours = new ActivityRing(HOURS, hourOf(minute))
  }

  count(what: Count, minute: number, now: number): void {
    this.minutes.count(what, minute, now)
    this.hours.count(what, hourOf(minute), hourOf(now))
  }

  setStatus(letter: string, now: number): void {
    this.minutes.setStatus(letter, now)
    this.hours.noteStatus(letter, hourOf(now))
  }
}

/** The part of the time that a summary covers. */
export interface Range {
  /** Length, up to a week. */
  readonly minutes: number
  /** Minutes that each figure covers; default 1. More than a day comes by whole hours. */
  readonly step?: number
}

/** Counts messages, failures, states of endpoints and answers: of a day by the minute, of a week by the hour. */
export class ActivityLog {
  readonly #now: () => number
  readonly #figures = new EndpointMap<EndpointActivity>()
  readonly #answers: { readonly of: EndpointKey; at: number; readonly ms: number }[] = []
  #nextAnswer = 0

  constructor(now: () => number) {
    this.#now = now
  }

  #minute(): number {
    return Math.floor(this.#now() / MINUTE_MS)
  }

  #of(key: EndpointKey): EndpointActivity {
    return this.#figures.getOrCreate(key, () => new EndpointActivity(key, this.#minute()))
  }

  count(key: EndpointKey, what: Exclude<Count, 'answered'>): void {
    const now = this.#minute()
    this.#of(key).count(what, now, now)
  }

  setStatus(key: EndpointKey, status: keyof typeof LETTERS): void {
    this.#of(key).setStatus(LETTERS[status], this.#minute())
  }

  /** Forgets an endpoint that is not configured any more. */
  forget(key: EndpointKey): void {
    this.#figures.delete(key)
    for (const answer of this.#answers)
      if (answer.of.adapter === key.adapter && answer.of.endpoint === key.endpoint) answer.at = -Infinity
  }

  /** Adds the answer to a message that was counted at `at`. It took `ms` milliseconds. */
  addAnswerTime({ adapter, endpoint }: EndpointKey, at: number, ms: number): void {
    const of = { adapter, endpoint }
    this.#figures.get(of)?.count('answered', Math.floor(at / MINUTE_MS), this.#minute())
    this.#answers[this.#nextAnswer] = { of, at, ms }
    this.#nextAnswer = (this.#nextAnswer + 1) % ANSWERS
  }

  /**
   * Returns the last minutes, of one adapter if it is given. Answers are those to the messages of these minutes; their
   * median is that of the newest 1,024.
   */
  summary({ minutes, step = 1 }: Range, adapter?: string): Activity {
    const byHour = minutes > MINUTES
    const unit = byHour ? 60 : 1
    const perStep = Math.max(1, Math.ceil(step / unit))
    const last = byHour ? hourOf(this.#minute()) : this.#minute()
    const first = last - Math.ceil(minutes / unit / perStep) * perStep + 1
    const from = first * unit * MINUTE_MS
    const isWanted = (of: EndpointKey): boolean => adapter === undefined || of.adapter === adapter
    const took = this.#answers
      .filter(({ at, of }) => at >= from && isWanted(of))
      .map(({ ms }) => ms)
      .sort((a, b) => a - b)
    const windows = this.#figures
      .values()
      .filter(({ key }) => isWanted(key))
      .map(({ key, minutes: ring, hours }) => ({
        key,
        ...grouped((byHour ? hours : ring).window(first, last), perStep),
      }))
    return {
      from,
      step: perStep * unit * MINUTE_MS,
      endpoints: windows.map(({ key, received, sent, failed, status }) => ({
        adapter: key.adapter,
        endpointId: key.endpoint,
        received,
        sent,
        failed,
        status: status.join(''),
      })),
      answers: {
        count: sum(windows.flatMap(({ answered }) => answered)),
        medianMs: Math.round((took[Math.floor((took.length - 1) / 2)] ?? 0) * 10) / 10,
      },
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Joins every `size` slots into one: with the sum of their counts, and their worst state. */
function grouped(slots: Slots, size: number): Slots {
  if (size === 1) return slots
  const join = <T, R>(values: readonly T[], of: (group: readonly T[]) => R): R[] =>
    Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
      of(values.slice(index * size, (index + 1) * size)),
    )
  const counts = Object.fromEntries(COUNTS.map((what) => [what, join(slots[what], sum)])) as Record<Count, number[]>
  return { ...counts, status: join(slots.status, (letters) => letters.reduce(worse)) }
}
