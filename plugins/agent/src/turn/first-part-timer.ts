import type { Clock } from '@mynah/kernel'

/** `setTimeout` takes no longer delay. A timeout of 0 stands for none. */
export const NO_TIMEOUT_MS = 2 ** 31

/** Limits the time until the first part of an answer. */
export class FirstPartTimer {
  readonly #clock: Clock
  readonly #onExpired: () => void
  #expiresAt: number
  #cancel: (() => void) | undefined

  /** @param timeoutMs 0 for no limit */
  constructor(clock: Clock, timeoutMs: number, onExpired: () => void) {
    this.#clock = clock
    this.#onExpired = onExpired
    this.#expiresAt = timeoutMs ? clock.now() + timeoutMs : Infinity
    this.#cancel = clock.setTimeout(onExpired, timeoutMs || NO_TIMEOUT_MS)
  }

  get remainingMs(): number {
    return Math.max(0, this.#expiresAt - this.#clock.now())
  }

  /** Whether the first part has not come yet. */
  get isRunning(): boolean {
    return this.#cancel !== undefined
  }

  /** Waits for at least this time from now on, if it still waits. */
  allow(ms: number): void {
    if (!this.isRunning || this.remainingMs >= ms) return
    this.stop()
    this.#expiresAt = this.#clock.now() + ms
    this.#cancel = this.#clock.setTimeout(this.#onExpired, ms)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
