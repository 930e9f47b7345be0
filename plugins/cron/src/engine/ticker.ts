import type { Clock } from '@mynah/kernel'

/** Longest sleep while a slot is pending, in milliseconds. It bounds how late a clock change is noticed. */
const MAX_SLEEP_MS = 15_000
/** The clock counts as set back when it is behind its last time by more than this, in milliseconds. */
const SET_BACK_TOLERANCE_MS = 1_000

/** The schedule that a ticker drives. */
export interface Ticking {
  /** Returns the earliest due time. */
  earliest(): number | undefined
  /** Handles everything that is due at `now`. */
  takeDue(now: number): Promise<void>
  /** Computes all due times again after the clock was set back. */
  clockSetBack(now: number): Promise<void>
}

/** Runs one timer for the earliest due time, and notices a clock that was set back. */
export class Ticker {
  readonly #clock: Clock
  readonly #schedule: Ticking
  #cancel: (() => void) | undefined
  #lastNow = -Infinity
  #isTicking = false
  #lastTick: Promise<void> | undefined
  #isOpen = true

  constructor(clock: Clock, schedule: Ticking) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Sets the timer for the earliest due time. Call it after due times changed. */
  arm(): void {
    if (this.#isTicking || !this.#isOpen) return
    this.#cancel?.()
    this.#cancel = undefined
    const earliest = this.#schedule.earliest()
    if (earliest === undefined) return
    const now = this.#clock.now()
    this.#cancel = this.#clock.setTimeout(
      () => {
        this.#lastTick = this.#tick()
      },
      Math.max(0, Math.min(earliest - now, MAX_SLEEP_MS)),
    )
  }

  /** Resolves when the running tick has ended. */
  async idle(): Promise<void> {
    await this.#lastTick
  }

  /** Ticks again after {@link Ticker.stop}. */
  open(): void {
    this.#isOpen = true
    this.arm()
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    this.#cancel?.()
    await this.idle()
  }

  async #tick(): Promise<void> {
    this.#cancel = undefined
    this.#isTicking = true
    try {
      const now = this.#clock.now()
      if (now < this.#lastNow - SET_BACK_TOLERANCE_MS) await this.#schedule.clockSetBack(now)
      this.#lastNow = now
      if ((this.#schedule.earliest() ?? Infinity) <= now) await this.#schedule.takeDue(now)
    } finally {
      this.#isTicking = false
      this.arm()
    }
  }
}
