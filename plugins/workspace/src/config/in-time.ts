import { setTimeout } from 'node:timers/promises'

/** Time to wait for a change to take effect before the caller gets an answer. */
const APPLY_TIMEOUT_MS = 5_000
/** The same for the server. Its restart ends the connection of the caller, who must be answered before. */
const SERVER_TIMEOUT_MS = 1_500

/** Returns the result of a change, or `timeout` where the caller must be answered before. The change goes on. */
export async function inTime<T>(work: Promise<T>, changesServer: boolean): Promise<T | 'timeout'> {
  const controller = new AbortController()
  const timeout = setTimeout(changesServer ? SERVER_TIMEOUT_MS : APPLY_TIMEOUT_MS, 'timeout' as const, {
    ref: false,
    signal: controller.signal,
  }).catch(() => 'timeout' as const)
  try {
    return await Promise.race([work, timeout])
  } finally {
    controller.abort()
  }
}
