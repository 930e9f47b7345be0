// A deadline that is paused while its work waits for a person, a task or an approval.
import type { Clock } from '@mynah/kernel'

/** The least time that is left after a wait. */
const AFTER_WAIT_MS = 1_000

export class Deadline {
  readonly #clock: Clock
  readonly #expired: () => void
  #left: number
  #since = 0
  #waits = 0
  #waitedMs = 0
  #cancel: (() => void) | undefined

  /** @param ms until `expired` is called, waits left out */
  constructor(clock: Clock, ms: number, expired: () => void) {
    this.#clock = clock
    this.#expired = expired
    this.#left = ms
    this.#run()
  }

  #run(): void {
    this.#since = this.#clock.now()
    this.#cancel = this.#clock.setTimeout(this.#expired, this.#left)
  }

  /** Pauses the deadline. Of pauses that overlap, the last one to end resumes it. */
  pause(): void {
    if (this.#waits++ > 0) return
    this.stop()
    this.#left -= this.#clock.now() - this.#since
    this.#since = this.#clock.now()
  }

  resume(): void {
    if (--this.#waits > 0) return
    this.#waitedMs += this.#clock.now() - this.#since
    this.#left = Math.max(this.#left, AFTER_WAIT_MS)
    this.#run()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  get waitedMs(): number {
    return this.#waitedMs
  }
}
