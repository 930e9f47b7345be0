// A clock on which nobody waits: every pause is over as soon as the process has nothing else to do.
import { systemClock, type Clock } from '@mynah/kernel'

/** Limits of this length guard against what never comes; they are kept, or they would be reached at once. */
const LIMIT_MS = 60_000

export class SkippingClock implements Clock {
  #leapt = 0
  readonly setInterval = systemClock.setInterval

  now(): number {
    return systemClock.now() + this.#leapt
  }

  /** Time that was passed over, ms. */
  get leapt(): number {
    return this.#leapt
  }

  setTimeout(callback: () => void, ms: number): () => void {
    if (ms === LIMIT_MS) return systemClock.setTimeout(callback, ms)
    const handle = setImmediate(() => {
      this.#leapt += ms
      callback()
    })
    return () => clearImmediate(handle)
  }
}
