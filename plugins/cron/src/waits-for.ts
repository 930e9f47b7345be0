// Waiting for what another plugin is expected to bring.
import type { Clock } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

/** Time that something expected has, ms. */
const LIMIT_MS = 60_000

/** Something that is to be expected: what it is now, and how to hear that it changed. */
export interface Expected<T> {
  /** How it is called where it did not come. */
  readonly name: string
  readonly look: () => T | undefined
  readonly watch: (listener: () => void) => () => void
}

/** What is expected, once it is there. Rejects with `not_ready` after a minute, and when `signal` aborts. */
export function waitsFor<T>({ name, look, watch }: Expected<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      unwatch()
      cancel()
      signal.removeEventListener('abort', gone)
    }
    const gone = (): void => {
      end()
      reject(new WireError('not_ready', `${name} is not there`))
    }
    const see = (): void => {
      const found = look()
      if (found === undefined) return
      end()
      resolve(found)
    }
    const unwatch = watch(see)
    const cancel = clock.setTimeout(gone, LIMIT_MS)
    signal.addEventListener('abort', gone, { once: true })
    if (signal.aborted) gone()
    else see()
  })
}
