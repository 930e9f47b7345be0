import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { MatrixError } from './client.js'
import { NoAnswerError } from './http.js'

/** Longest delay that is reported. Servers may ask for any number. */
const LONGEST_WAIT_MS = 365 * 86_400_000
const UNNAMED_WAIT_MS = 1_000

/** Whether the homeserver does not know the access token. */
export const isTokenRefusal = (error: unknown): boolean =>
  error instanceof MatrixError && /^M_(?:UNKNOWN|MISSING)_TOKEN$/.test(error.code)

/** Returns the milliseconds to wait where the homeserver asks to slow down. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof MatrixError) || error.status !== 429) return undefined
  return Math.min(error.retryAfterMs ?? UNNAMED_WAIT_MS, LONGEST_WAIT_MS)
}

/** Returns why a connection failed, for the owner. It has no address and no secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError) return `The homeserver cannot be reached: ${error.message}`
  if (!(error instanceof MatrixError)) return messageOf(error)
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) return `The homeserver asks to wait for ${Math.ceil(retryAfter / 1000)} s (429)`
  if (isTokenRefusal(error)) return `The homeserver refuses the access token (${error.message}): check \`token\``
  if (error.code === '') return `No Matrix homeserver answers (${error.message}): check \`homeserver\``
  return `The homeserver refuses (${error.message})`
}

/** Returns a failure to send as a `SendError`. */
export function sendErrorOf(error: unknown): Error {
  if (error instanceof SendError) return error
  const retryAfter = retryAfterOf(error)
  // Homeservers count what a user sends in all rooms.
  if (retryAfter !== undefined) return new SendError('rate-limited', reasonOf(error), { retryAfter, scope: 'endpoint' })
  if (isTokenRefusal(error)) return new SendError('offline', reasonOf(error))
  if (error instanceof NoAnswerError)
    return error.wasSent
      ? new Error(`${reasonOf(error)}; the message may have arrived`)
      : new SendError('offline', reasonOf(error))
  if (error instanceof MatrixError && error.status >= 400 && error.status < 500)
    return new SendError('refused', `The homeserver refuses the message (${error.message})`)
  return new Error(reasonOf(error))
}

/** Returns a failed action as a `WireError`. */
export function wireErrorOf(error: unknown): WireError {
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined)
    return new WireError('rate_limited', reasonOf(error), { retryAfter: Math.ceil(retryAfter / 1000) })
  if (!(error instanceof MatrixError)) return new WireError('upstream_unavailable', reasonOf(error))
  if (error.code === 'M_FORBIDDEN') return new WireError('forbidden', `The bot may not do this: ${error.message}`)
  if (error.status === 404) return new WireError('not_found', error.message)
  if (error.status === 413) return new WireError('too_large', error.message)
  return new WireError(error.status < 500 ? 'unsupported' : 'upstream_unavailable', error.message)
}
