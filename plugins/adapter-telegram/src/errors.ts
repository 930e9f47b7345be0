import { GrammyError, HttpError } from 'grammy'
import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'

/** Longest delay that is reported. Servers may ask for any number, also for one that no clock has. */
const LONGEST_WAIT_MS = 365 * 86_400_000
const LONGEST_TEXT = 300

/** Codes of failures that happen before anything is sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const isCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code)

function codeOf({ error }: HttpError): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null }
  return [code, cause?.code].find(isCode) ?? 'no answer'
}

/** Returns the milliseconds to wait where Telegram asks to slow down. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof GrammyError) || error.error_code !== 429) return undefined
  const asked: unknown = (error.parameters as { retry_after?: unknown } | null)?.retry_after
  return typeof asked === 'number' && asked > 0 ? Math.min(asked * 1000, LONGEST_WAIT_MS) : 1_000
}

/** Returns the server's description of an error. */
const item = ({ error_code: code, description }: GrammyError): { code: number; description: string } => ({
  code: typeof code === 'number' ? code : 0,
  description: typeof description === 'string' ? description.slice(0, LONGEST_TEXT) : 'no reason given',
})

/**
 * Returns why a connection failed, for the owner. Causes are left out, since they contain the address with the
 * token.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof HttpError) return `Telegram cannot be reached (${codeOf(error)})`
  if (!(error instanceof GrammyError)) return messageOf(error)
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) return `Telegram asks to wait for ${Math.ceil(retryAfter / 1000)} s (429)`
  const { code, description } = item(error)
  if (code === 401 || code === 404) return `Telegram refuses the token (${code} ${description}): check \`token\``
  if (code === 409)
    return `Another program takes the updates of this bot (409 ${description}): only one may poll with a token`
  return `Telegram refuses ${error.method} (${code} ${description})`
}

/** Returns a failure to send as a `SendError`. */
export function sendErrorOf(error: unknown): Error {
  if (error instanceof SendError) return error
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) return new SendError('rate-limited', 'Telegram asks to slow down (429)', { retryAfter })
  if (error instanceof HttpError) {
    const code = codeOf(error)
    return NOT_SENT.has(code)
      ? new SendError('offline', reasonOf(error))
      : new Error(`${reasonOf(error)}; the message may have arrived`)
  }
  if (!(error instanceof GrammyError)) return new Error(reasonOf(error))
  const { code, description } = item(error)
  if (code >= 400 && code < 500)
    return new SendError('refused', `Telegram refuses the message (${code} ${description})`)
  return new Error(reasonOf(error))
}

/** Returns a failed action on a group or request as a `WireError`. */
export function wireErrorOf(error: unknown): WireError {
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined)
    return new WireError('rate_limited', 'Telegram asks to slow down', { retryAfter: Math.ceil(retryAfter / 1000) })
  if (!(error instanceof GrammyError)) return new WireError('upstream_unavailable', reasonOf(error))
  const { code, description } = item(error)
  if (/HIDE_REQUESTER_MISSING|USER_ALREADY_PARTICIPANT/.test(description))
    return new WireError('conflict', 'The request was answered or withdrawn meanwhile')
  if (code === 403) return new WireError('forbidden', `The bot may not do this: ${description}`)
  if (code === 400)
    return new WireError(
      /not found|PARTICIPANT_ID_INVALID/i.test(description) ? 'not_found' : 'unsupported',
      description,
    )
  return new WireError('upstream_unavailable', reasonOf(error))
}

/** Returns whether Telegram refuses what a message has, so that another form of it may be sent. */
export const isRefusal = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && (error.error_code === 400 || error.error_code === 413)
