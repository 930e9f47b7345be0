import { isWireError } from '@mynah/contract'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'

/** Time until work is repeated, ms. */
const RETRY_MS = 5_000

/**
 * Returns the work as a function that never rejects. Work that fails because the store is unavailable is repeated a
 * little later: a store that fails for a moment reports no change.
 *
 * @param what the work in words, such as `send pending requests`
 */
export function retrying(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  what: string,
  work: () => Promise<void>,
): () => Promise<void> {
  const attempt = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn(`failed to ${what}: ${messageOf(error)}`)
      if (isWireError(error) && error.code === 'not_ready') clock.setTimeout(() => void attempt(), RETRY_MS)
    }
  }
  return attempt
}
