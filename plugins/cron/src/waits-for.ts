// Waiting for what another plugin is expected to contribute.
import type { Clock, Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

/** Time that an expected contribution has, ms. */
const LIMIT_MS = 60_000

/** The contribution of a key, once it is there. Rejects with `not_ready` after a minute, and when `signal` aborts. */
export function waitsFor<T>(reader: Reader<T>, key: string, clock: Clock, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      unwatch()
      cancel()
      signal.removeEventListener('abort', gone)
    }
    const gone = (): void => {
      end()
      reject(new WireError('not_ready', `What runs "${key}" is not there`))
    }
    const look = (): void => {
      const found = reader.get(key)
      if (!found) return
      end()
      resolve(found.value)
    }
    const unwatch = reader.watch(look)
    const cancel = clock.setTimeout(gone, LIMIT_MS)
    signal.addEventListener('abort', gone, { once: true })
    if (signal.aborted) gone()
    else look()
  })
}
