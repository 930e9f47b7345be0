import { systemClock, type Clock } from '@mynah/kernel'

/** Timers of this length are limits for hanging work and run in real time. */
const LIMIT_MS = 60_000

/** A clock without waiting: each timer fires as soon as the process has nothing else to do. */
export class SkippingClock implements Clock {
  #skipped = 0
  readonly setInterval = systemClock.setInterval

  now(): number {
    return systemClock.now() + this.#skipped
  }

  /** Time that was skipped, in milliseconds. */
  get skipped(): number {
    return this.#skipped
  }

  setTimeout(callback: () => void, ms: number): () => void {
    if (ms === LIMIT_MS) return systemClock.setTimeout(callback, ms)
    const handle = setImmediate(() => {
      this.#skipped += ms
      callback()
    })
    return () => clearImmediate(handle)
  }
}
