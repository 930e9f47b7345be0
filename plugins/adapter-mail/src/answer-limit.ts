import type { Clock } from '@mynah/kernel'
import { LruMap, MINUTE_MS } from '@mynah/kernel/util'

const WINDOW_MS = 5 * MINUTE_MS
const MAX_ADDRESSES = 10_000

/** Ends a conversation with another program: its mail and the answers to it would go on for ever. */
export class AnswerLimit {
  readonly #clock: Clock
  readonly #max: number
  readonly #heardAt = new LruMap<string, number>(MAX_ADDRESSES)
  readonly #answers = new LruMap<string, readonly number[]>(MAX_ADDRESSES)

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  /** Notes a mail of an address. */
  heard(address: string): void {
    this.#heardAt.set(address, this.#clock.now())
  }

  /** Whether a mail to an address answers one of the last minutes. */
  isAnswer(address: string): boolean {
    const at = this.#heardAt.get(address)
    return at !== undefined && this.#clock.now() - at < WINDOW_MS
  }

  /** Counts an answer. Returns false where there are too many. Mails that answer nothing are not counted. */
  take(address: string): boolean {
    if (!this.isAnswer(address)) return true
    const now = this.#clock.now()
    const recent = (this.#answers.get(address) ?? []).filter((time) => now - time < WINDOW_MS)
    if (recent.length >= this.#max) return false
    this.#answers.set(address, [...recent, now])
    return true
  }
}
