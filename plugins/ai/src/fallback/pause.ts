import type { Clock } from '@mynah/kernel'
import { ModelError } from '../api/errors.js'

/**
 * Resolves after `ms` milliseconds.
 *
 * @throws {@link ModelError} of class `aborted` as soon as the signal aborts
 */
export function pause(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(new ModelError('aborted', 'The caller gave up'))
    }
    const cancel = clock.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
