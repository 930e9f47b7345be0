import { isWireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'

/** Shortest and longest time between two tries, in milliseconds. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000

/**
 * Repeats a write while the store is unavailable, until it is made or `signal` aborts. The write must have the same
 * outcome when it is repeated, since one whose success was not reported is repeated as well.
 *
 * @throws the error of the write where it is another than `not_ready`, or when `signal` aborts
 */
export async function untilStored<T>(write: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !isWireError(error) || error.code !== 'not_ready') throw error
    }
    await pause(pauseMs, clock, signal)
  }
}

/** Resolves after a time, or when `signal` aborts. A plugin that has stopped can set no timer: its pauses are over. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
