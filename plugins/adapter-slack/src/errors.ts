import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { NoAnswerError, SlackError } from './api.js'

/** Why an account cannot connect until its owner has changed something. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const REFUSED_TOKENS: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_allowed_token_type',
  'not_authed',
  'token_expired',
  'token_revoked',
])
/** Errors after which a message may have been posted. */
const UNCLEAR: ReadonlySet<string> = new Set(['fatal_error', 'internal_error', 'request_timeout'])

/** Returns why a connection failed, for the owner. It has no address and no secret. */
export function connectError(error: unknown): Error {
  if (error instanceof NoAnswerError) return new Error(`Slack cannot be reached: ${error.message}`)
  if (!(error instanceof SlackError)) return error instanceof Error ? error : new Error(messageOf(error))
  const key = error.method === 'apps.connections.open' ? 'appToken' : 'botToken'
  if (REFUSED_TOKENS.has(error.code))
    return new ConfigurationError(`Slack refuses the token (${error.code}): check \`${key}\``)
  if (error.code === 'missing_scope') return new ConfigurationError(`\`${key}\`: ${error.message}`)
  return new Error(`Slack refuses ${error.method}: ${error.message}`)
}

/** Returns a failure to send as chat expects it. */
export function sendError(error: unknown, scope: 'channel' | 'endpoint' = 'channel'): Error {
  if (error instanceof NoAnswerError)
    return error.wasSent
      ? new Error(`Slack has not answered (${error.message}); the message may have arrived`)
      : new SendError('offline', `Slack cannot be reached: ${error.message}`)
  if (!(error instanceof SlackError)) return error as Error
  const { code, retryAfter, status } = error
  if (retryAfter !== undefined) {
    const words = `Slack asks to wait for ${Math.ceil(retryAfter / 1000)} s (${code})`
    return new SendError('rate-limited', words, { retryAfter, scope })
  }
  if (REFUSED_TOKENS.has(code)) return new SendError('offline', connectError(error).message)
  if (status >= 500 || UNCLEAR.has(code))
    return new Error(`Slack failed: ${error.message}; the message may have arrived`)
  return new SendError('refused', `Slack refuses the message: ${error.message}`)
}

/** Returns a failed action as a `WireError`. */
export function wireError(error: unknown): WireError {
  if (error instanceof WireError) return error
  if (!(error instanceof SlackError)) return new WireError('upstream_unavailable', connectError(error).message)
  const { retryAfter, status, code, message } = error
  if (retryAfter !== undefined)
    return new WireError('rate_limited', message, { retryAfter: Math.ceil(retryAfter / 1000) })
  if (code.endsWith('_not_found')) return new WireError('not_found', message)
  if (status >= 500 || UNCLEAR.has(code)) return new WireError('upstream_unavailable', message)
  return new WireError('forbidden', `Slack refuses: ${message}`)
}
