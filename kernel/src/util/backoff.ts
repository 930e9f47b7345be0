/** Bounds of an exponential backoff, in milliseconds. */
export interface BackoffOptions {
  readonly firstMs: number
  readonly maxMs: number
  /** Growth from one attempt to the next; default 2. */
  readonly factor?: number
  /** Share of the delay that is random in both directions, 0 to 1; default 0. */
  readonly jitter?: number
  /** Source of randomness, from 0 to 1; default `Math.random`. */
  readonly random?: () => number
}

/**
 * Returns the delay before a retry, in milliseconds.
 *
 * @param attempt number of attempts that have failed before this one, from 0
 */
export function backoff(attempt: number, options: BackoffOptions): number {
  const { firstMs, maxMs, factor = 2, jitter = 0, random = Math.random } = options
  const delay = Math.min(firstMs * factor ** attempt, maxMs)
  return delay * (1 - jitter + 2 * jitter * random())
}
