import { MINUTE_MS } from '@mynah/kernel/util'

interface Window {
  readonly start: number
  count: number
}

/** Counts the requests of each token in windows of a minute. The window of a token starts with its first request. */
export class TokenRateLimiter {
  readonly #windows = new WeakMap<object, Window>()

  /** Counts a request of `token`. Returns the seconds to wait if it is over the limit, else 0. */
  take(token: object, limit: number, now: number): number {
    let window = this.#windows.get(token)
    // A clock that was set back starts a new window. Otherwise the token would be refused until the clock caught up.
    if (!window || now >= window.start + MINUTE_MS || now < window.start)
      this.#windows.set(token, (window = { start: now, count: 0 }))
    if (window.count >= limit) return Math.max(1, Math.ceil((window.start + MINUTE_MS - now) / 1000))
    window.count++
    return 0
  }
}
