import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { DiscordError, NoAnswerError } from './rest.js'

/** Why an account cannot connect until its owner has changed something. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const CLOSE_REASONS: ReadonlyMap<number, string> = new Map([
  [4004, 'Discord refuses the token (4004): check `token`'],
  [4010, 'Discord refuses the shard (4010)'],
  [4011, 'The bot is in so many servers that Discord asks for shards (4011), which this adapter does not have'],
  [4012, 'Discord does not have this version of the gateway any more (4012)'],
  [4013, 'Discord does not know one of the intents (4013): check `intents`'],
  [
    4014,
    'The bot may not have all `intents` (4014): switch on Message Content Intent, and Server Members Intent for ' +
      '`members`, on the page Bot of the Developer Portal, or take them out of `intents`',
  ],
])

/** Returns why the gateway has closed a connection. */
export function closeError(code: number): Error {
  const reason = CLOSE_REASONS.get(code)
  return reason === undefined ? new Error(`Discord closed the connection (${code})`) : new ConfigurationError(reason)
}

/** Returns why a connection failed, for the owner. It has no address and no secret. */
export function connectError(error: unknown): Error {
  if (error instanceof DiscordError && error.status === 401)
    return new ConfigurationError(`Discord refuses the token (401): check \`token\``)
  if (error instanceof NoAnswerError) return new Error(`Discord cannot be reached: ${error.message}`)
  if (error instanceof DiscordError) return new Error(`Discord refuses: ${error.message}`)
  return error instanceof Error ? error : new Error(messageOf(error))
}

/** Returns a failure to send as chat expects it. */
export function sendError(error: unknown): Error {
  if (error instanceof NoAnswerError)
    return error.wasSent
      ? new Error(`Discord has not answered (${error.message}); the message may have arrived`)
      : new SendError('offline', `Discord cannot be reached: ${error.message}`)
  if (!(error instanceof DiscordError)) return error as Error
  const { retryAfter, isGlobal, status } = error
  if (retryAfter !== undefined)
    return new SendError('rate-limited', `Discord asks to wait for ${Math.ceil(retryAfter / 1000)} s (429)`, {
      retryAfter,
      scope: isGlobal ? 'endpoint' : 'channel',
    })
  if (status === 401) return new SendError('offline', connectError(error).message)
  if (status >= 500) return new Error(`Discord failed: ${error.message}; the message may have arrived`)
  return new SendError('refused', `Discord refuses the message: ${error.message}`)
}

/** Returns a failed action as a `WireError`. */
export function wireError(error: unknown): WireError {
  if (error instanceof WireError) return error
  if (!(error instanceof DiscordError)) return new WireError('upstream_unavailable', connectError(error).message)
  const { retryAfter, status, message } = error
  if (retryAfter !== undefined)
    return new WireError('rate_limited', message, { retryAfter: Math.ceil(retryAfter / 1000) })
  if (status === 403) return new WireError('forbidden', `The bot may not do this: ${message}`)
  if (status === 404) return new WireError('not_found', message)
  return new WireError(status < 500 ? 'unsupported' : 'upstream_unavailable', message)
}
