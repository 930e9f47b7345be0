import type { Activity } from '@mynah/contract/types'
import type { EndpointKey } from './api/store.js'
import { EndpointMap } from './util/endpoint-map.js'

const MINUTE_MS = 60_000
const MINUTES = 1_440
/** How many answer times are remembered. */
const ANSWERS = 1_024

type Count = 'received' | 'sent' | 'failed'
const LETTERS = { online: 'o', pending: 'p', offline: 'x' } as const
const NOT_KNOWN = '-'.charCodeAt(0)

/** Counts of one endpoint by the minute, in ring buffers. */
class EndpointActivity {
  readonly adapter: string
  readonly endpoint: string
  readonly received = new Uint32Array(MINUTES)
  readonly sent = new Uint32Array(MINUTES)
  readonly failed = new Uint32Array(MINUTES)
  readonly #status = new Uint8Array(MINUTES).fill(NOT_KNOWN)
  #letter = NOT_KNOWN
  /** The minute that was written last, since the epoch. */
  #minute: number

  constructor({ adapter, endpoint }: EndpointKey, minute: number) {
    this.adapter = adapter
    this.endpoint = endpoint
    this.#minute = minute
  }

  /** Makes `minute` the last one. The minutes in between have no messages and the last known status. */
  advance(minute: number): void {
    if (minute <= this.#minute) return
    for (let at = Math.max(this.#minute + 1, minute - MINUTES + 1); at <= minute; at++) {
      const slot = at % MINUTES
      this.received[slot] = this.sent[slot] = this.failed[slot] = 0
      this.#status[slot] = this.#letter
    }
    this.#minute = minute
  }

  count(what: Count, minute: number): void {
    this.advance(minute)
    const slot = this.#minute % MINUTES
    this[what][slot] = (this[what][slot] as number) + 1
  }

  setStatus(letter: string, minute: number): void {
    this.advance(minute)
    this.#letter = letter.charCodeAt(0)
    this.#status[this.#minute % MINUTES] = this.#letter
  }

  window(first: number, last: number): { received: number[]; sent: number[]; failed: number[]; status: string } {
    this.advance(last)
    const slots = Array.from({ length: last - first + 1 }, (_, index) => (first + index) % MINUTES)
    const of = (ring: Uint32Array): number[] => slots.map((slot) => ring[slot] as number)
    return {
      received: of(this.received),
      sent: of(this.sent),
      failed: of(this.failed),
      status: slots.map((slot) => String.fromCharCode(this.#status[slot] as number)).join(''),
    }
  }
}

/** Counts messages, failures, states of endpoints and answer times of the last 24 hours by the minute. */
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

  count(key: EndpointKey, what: Count): void {
    this.#of(key).count(what, this.#minute())
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
  addAnswerTime(of: EndpointKey, at: number, ms: number): void {
    this.#answers[this.#nextAnswer] = { of, at, ms }
    this.#nextAnswer = (this.#nextAnswer + 1) % ANSWERS
  }

  /** Returns the last minutes, of one adapter if it is given. Answers are those to the messages of these minutes. */
  summary(minutes: number, adapter?: string): Activity {
    const last = this.#minute()
    const first = last - minutes + 1
    const from = first * MINUTE_MS
    const isWanted = (of: { readonly adapter: string }): boolean => adapter === undefined || of.adapter === adapter
    const took = this.#answers
      .filter(({ at, of }) => at >= from && isWanted(of))
      .map(({ ms }) => ms)
      .sort((a, b) => a - b)
    return {
      from,
      step: MINUTE_MS,
      endpoints: this.#figures
        .values()
        .filter(isWanted)
        .map((figures) => ({
          adapter: figures.adapter,
          endpointId: figures.endpoint,
          ...figures.window(first, last),
        })),
      answers: { count: took.length, medianMs: Math.round((took[Math.floor((took.length - 1) / 2)] ?? 0) * 10) / 10 },
    }
  }
}
