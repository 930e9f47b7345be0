import { WINDOW_S } from './signature.js'

/** A signature is valid from `WINDOW_S` before to `WINDOW_S` after its time. */
const LIFETIME_MS = 2 * WINDOW_S * 1000

export class Replays {
  readonly #now: () => number
  // Two generations instead of a timer for each: a signature within its lifetime is in one of them.
  #seen = new Map<string, Promise<void> | true>()
  #seenBefore = new Map<string, Promise<void> | true>()
  #since: number

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  /**
   * Runs `accept` unless it ran for this signature before, and returns whether it did. A copy that arrives meanwhile
   * waits for the outcome. A copy that arrives after a failure is a new attempt.
   */
  async once(signature: string, accept: () => Promise<void>): Promise<{ readonly replayed: boolean }> {
    this.#turn()
    const key = Buffer.from(signature.slice(-64), 'hex').toString('latin1')
    const known = this.#seen.get(key) ?? this.#seenBefore.get(key)
    if (known !== undefined) {
      await known
      return { replayed: true }
    }
    const accepting = accept()
    const seen = this.#seen
    seen.set(key, accepting)
    try {
      await accepting
      seen.set(key, true)
    } catch (error) {
      seen.delete(key)
      throw error
    }
    return { replayed: false }
  }

  #turn(): void {
    const passed = this.#now() - this.#since
    if (passed < LIFETIME_MS) return
    this.#seenBefore = passed < 2 * LIFETIME_MS ? this.#seen : new Map()
    this.#seen = new Map()
    this.#since = this.#now()
  }
}
