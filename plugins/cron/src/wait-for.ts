import type { Clock } from '@mynah/kernel'
import { MINUTE_MS } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'

/** Longest wait, in milliseconds. */
const MAX_WAIT_MS = MINUTE_MS

/** A value that another plugin is expected to provide. */
export interface Expected<T> {
  /** Name for the error message. */
  readonly name: string
  readonly look: () => T | undefined
  readonly watch: (listener: () => void) => () => void
}

/**
 * Waits until the value is available.
 *
 * @throws WireError `not_ready` after a minute, and when `signal` aborts
 */
export function waitFor<T>({ name, look, watch }: Expected<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      unwatch()
      cancel()
      signal.removeEventListener('abort', onAbort)
    }
    const onAbort = (): void => {
      stop()
      reject(new WireError('not_ready', `${name} is not available`))
    }
    const check = (): void => {
      const found = look()
      if (found === undefined) return
      stop()
      resolve(found)
    }
    const unwatch = watch(check)
    const cancel = clock.setTimeout(onAbort, MAX_WAIT_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else check()
  })
}
