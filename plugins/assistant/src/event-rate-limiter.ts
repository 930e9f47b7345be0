import { LruMap, MINUTE_MS } from '@mynah/kernel/util'

/** Sources that are tracked. */
const MAX_SOURCES = 1_000

interface Window {
  readonly start: number
  count: number
}

/** Limits the events of each source per minute. */
export class EventRateLimiter {
  readonly #windows = new LruMap<string, Window>(MAX_SOURCES)

  /** Counts an event. Returns the seconds to wait when it is over the limit, else 0. */
  take(source: string, limit: number, now: number): number {
    let window = this.#windows.peek(source)
    // A window that starts in the future was opened before the clock was set back.
    if (!window || now - window.start >= MINUTE_MS || now < window.start) {
      window = { start: now, count: 0 }
      this.#windows.set(source, window)
    }
    if (window.count >= limit) return Math.max(1, Math.ceil((window.start + MINUTE_MS - now) / 1_000))
    window.count++
    return 0
  }
}
