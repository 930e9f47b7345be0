import { setMaxListeners } from 'node:events'
import type { Clock } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'

export interface Deadline {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ms: number
  /** Start of the error message, such as "the server did not answer". */
  readonly what: string
}

/** Runs `work` with a deadline. Rejects when `signal` aborts or the time is over, even if `work` ignores its signal. */
export function within<T>(
  { clock, signal, ms, what }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const run = (bounded: AbortSignal): Promise<T> => {
    // Each page of a list adds a listener, which is removed with the signal.
    setMaxListeners(0, bounded)
    return work(bounded)
  }
  return withTimeout(clock, ms, run, { parent: signal, message: `${what} within ${ms / 1000} s` })
}
