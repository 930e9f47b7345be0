// How often a token may ask: so many requests in any minute that begins with one.

const MINUTE_MS = 60_000

interface Window {
  readonly began: number
  count: number
}

export class RateLimits {
  readonly #windows = new WeakMap<object, Window>()

  /** Counts a request of `token`; answers with the seconds it has to wait, 0 while it may go on. */
  count(token: object, limit: number, now: number): number {
    let window = this.#windows.get(token)
    // A clock that was set back begins anew instead of refusing until it has caught up.
    if (!window || now >= window.began + MINUTE_MS || now < window.began)
      this.#windows.set(token, (window = { began: now, count: 0 }))
    if (window.count >= limit) return Math.max(1, Math.ceil((window.began + MINUTE_MS - now) / 1000))
    window.count++
    return 0
  }
}
