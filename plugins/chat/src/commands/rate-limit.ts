// How often one user may call commands: a window a key, bounded in number.

interface Window {
  start: number
  count: number
}
const MAX_KEYS = 10_000

export class RateLimit {
  readonly #windows = new Map<string, Window>()

  /** Counts a call; gives the seconds to wait where it is one too many, else 0. */
  take(key: string, limit: { readonly count: number; readonly seconds: number }, now: number): number {
    const length = limit.seconds * 1000
    let window = this.#windows.get(key)
    if (!window || now - window.start >= length) {
      this.#windows.delete(key)
      window = { start: now, count: 0 }
      this.#windows.set(key, window)
      // Oldest first: a flood of new users costs no more than this.
      if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value as string)
    }
    if (window.count >= limit.count) return Math.ceil((window.start + length - now) / 1000)
    window.count++
    return 0
  }
}
