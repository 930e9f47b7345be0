import { LruMap } from './lru-map.js'

/** How many calls a key may make within a window. */
export interface RateLimit {
  readonly count: number
  /** Length of the window in milliseconds. */
  readonly windowMs: number
}

interface Window {
  readonly start: number
  used: number
}

const MAX_KEYS = 10_000

/**
 * Counts calls by key in fixed windows. The window of a key starts with its first call. The number of keys is bounded:
 * when too many are in use, the key that started its window first is forgotten.
 */
export class FixedWindowLimiter {
  readonly #windows: LruMap<string, Window>

  constructor(maxKeys = MAX_KEYS) {
    this.#windows = new LruMap(maxKeys)
  }

  /**
   * Counts a call.
   *
   * @param now milliseconds since the epoch
   * @returns the milliseconds to wait when the call is over the limit, else 0
   */
  take(key: string, { count, windowMs }: RateLimit, now: number): number {
    // `peek` keeps the order of insertion, so that the oldest window is the first to be forgotten.
    let window = this.#windows.peek(key)
    if (!window || now - window.start >= windowMs) {
      window = { start: now, used: 0 }
      this.#windows.set(key, window)
    }
    if (window.used >= count) return window.start + windowMs - now
    window.used++
    return 0
  }

  /** Forgets the calls of a key. */
  reset(key: string): void {
    this.#windows.delete(key)
  }
}
