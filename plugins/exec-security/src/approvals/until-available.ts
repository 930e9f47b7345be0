import { isWireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'
import { retryWhile } from '@mynah/kernel/util'

const PAUSES = { firstMs: 250, maxMs: 5_000 }

/**
 * Repeats a call while the store is unavailable.
 *
 * @throws the error of the call where it is another than `not_ready`, or when `signal` has aborted
 */
export function untilAvailable<T>(call: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const isUnavailable = (error: unknown): boolean => isWireError(error) && error.code === 'not_ready'
  return retryWhile(isUnavailable, call, { ...PAUSES, clock, signal })
}
