import type { Clock } from '../base/clock.js'

/** Resolves after `ms` milliseconds, or as soon as `signal` aborts. */
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
