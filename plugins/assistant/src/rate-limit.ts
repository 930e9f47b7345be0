// How many events a source may send a minute.

const MINUTE_MS = 60_000
/** Sources that are remembered. */
const MAX_SOURCES = 1_000

interface Window {
  from: number
  count: number
}

export class RateLimit {
  readonly #windows = new Map<string, Window>()

  /** Counts one; gives the seconds to wait where it is too many, else 0. */
  take(source: string, limit: number, now: number): number {
    let window = this.#windows.get(source)
    // A window that lies ahead is of a clock that was set back.
    if (!window || now - window.from >= MINUTE_MS || now < window.from) {
      this.#windows.delete(source)
      window = { from: now, count: 0 }
      this.#windows.set(source, window)
      if (this.#windows.size > MAX_SOURCES) this.#windows.delete(this.#windows.keys().next().value as string)
    }
    if (window.count >= limit) return Math.max(1, Math.ceil((window.from + MINUTE_MS - now) / 1_000))
    window.count++
    return 0
  }
}
