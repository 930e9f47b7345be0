import { isWireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'
import { retryWhile } from '@mynah/kernel/util'

/** Shortest and longest time between two tries, in milliseconds. */
const PAUSES = { firstMs: 250, maxMs: 5_000 }

/**
 * Repeats a write while the store is unavailable, until it is made or `signal` aborts. The write must have the same
 * outcome when it is repeated, since one whose success was not reported is repeated as well.
 *
 * @throws the error of the write where it is another than `not_ready`, or when `signal` aborts
 */
export function untilStored<T>(write: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const isUnavailable = (error: unknown): boolean => isWireError(error) && error.code === 'not_ready'
  return retryWhile(isUnavailable, write, { ...PAUSES, clock, signal })
}
