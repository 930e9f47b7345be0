// Work with a deadline by the plugin's clock: it is told to stop, and nobody waits for it longer.
import { setMaxListeners } from 'node:events'
import type { Clock } from '@mynah/kernel'

export interface Bounds {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ms: number
  /** What did not happen in time. */
  readonly what: string
}

/** Rejects when `signal` aborts or the time is over, whether or not `work` heeds the signal that it is given. */
export async function within<T>(
  { clock, signal, ms, what }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const abort = new AbortController()
  // Each page of a list listens; all of them go with this signal.
  setMaxListeners(0, abort.signal)
  const stop = (): void => abort.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const cancel = clock.setTimeout(() => abort.abort(new Error(`${what} within ${ms / 1000} s`)), ms)
  try {
    return await new Promise<T>((resolve, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error), { once: true })
      work(abort.signal).then(resolve, (error: unknown) =>
        reject(abort.signal.aborted ? (abort.signal.reason as Error) : (error as Error)),
      )
    })
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
  }
}
