import type { Clock } from '@mynah/kernel'
import { onAnyAbort } from './on-any-abort.js'

/** Resolves after `ms` milliseconds. Rejects with the reason when one of the signals aborts. */
export function sleep(clock: Clock, ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(() => {
      stopListening()
      resolve()
    }, ms)
    const stopListening = onAnyAbort(signals, (reason) => {
      cancel()
      reject(reason as Error)
    })
  })
}
