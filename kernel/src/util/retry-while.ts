import type { Clock } from '../base/clock.js'
import { backoff, type BackoffOptions } from './backoff.js'
import { pause } from './pause.js'

/** Pauses between the attempts of {@link retryWhile}, and what ends them. */
export interface RetryOptions extends BackoffOptions {
  readonly clock: Clock
  /** Ends the pause when it aborts. The attempt that follows is the last one. */
  readonly signal: AbortSignal
}

/**
 * Repeats a call while it fails for a reason that passes. The call must be safe to repeat.
 *
 * @throws the error of the call for which `isTransient` returns false, or when the signal aborts
 */
export async function retryWhile<T>(
  isTransient: (error: unknown) => boolean,
  call: () => Promise<T>,
  { clock, signal, ...pauses }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
    }
    await pause(backoff(attempt, pauses), clock, signal)
  }
}
