import { messageOf, NotReady } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'

/** Delay before a start that the store has held up is repeated, in milliseconds. */
const RETRY_MS = 2_000

/**
 * Waits for work of the start. A store that is not available fails only this attempt of the start.
 *
 * @throws NotReady when the store is not available
 */
export async function whenReady<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isWireError(error) && error.code === 'not_ready')
      throw new NotReady(messageOf(error), { retryAfter: RETRY_MS, cause: error })
    throw error
  }
}
