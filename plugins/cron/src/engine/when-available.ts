import type { EngineOptions } from './options.js'
import { isTransient } from './failure.js'
import { sleep } from './sleep.js'

/** Delay before failed work on the store is repeated, in milliseconds. */
const STORE_RETRY_MS = 2_000

/**
 * Repeats work on the store until the store is available.
 *
 * @throws the reason of the signal of the plugin after work that failed while the plugin stops
 */
export async function whenAvailable<T>(
  { signal, clock }: Pick<EngineOptions, 'signal' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isTransient(error)) throw error
      await sleep(clock, STORE_RETRY_MS, [signal])
    }
  }
}
