import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { textOf, type Fields } from './wire.js'

/** DingTalk keeps a group that has got too much quiet for so long, ms. */
const GROUP_LIMIT_MS = 10 * 60_000
/** Pause after the limit of an application where DingTalk names none, ms. */
const LIMIT_MS = 10_000
const TOO_FAST = '130101'
const WRONG_ACCOUNT = /invalidClientId|authFailed|InvalidAuthentication|invalid_client|invalidAppKey/i

/** DingTalk refuses a request. */
export class DingTalkError extends Error {
  override readonly name = 'DingTalkError'
  readonly status: number
  /** The code of the error: words, or a number of the older interface. */
  readonly code: string

  /** Milliseconds for which DingTalk takes nothing more. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Fields, retryAfter?: string | null) {
    const code = textOf(body.code, 100) || (typeof body.errcode === 'number' ? String(body.errcode) : '')
    const reason = textOf(body.message, 200) || textOf(body.errmsg, 200) || 'no reason given'
    super(`${reason} (${[status, code].filter(Boolean).join(', ')})`)
    this.status = status
    this.code = code
    this.retryAfter = limitOf(status, code, retryAfter)
  }

  /** Whether only one chat is limited. */
  get isGroupLimit(): boolean {
    return this.code === TOO_FAST
  }
}

function limitOf(status: number, code: string, header: string | null | undefined): number | undefined {
  if (code === TOO_FAST) return GROUP_LIMIT_MS
  if (status !== 429 && !/QpsLimit|Throttling/i.test(code)) return undefined
  const seconds = Number(header ?? NaN)
  return seconds >= 0 && seconds < 86_400 ? 1_000 * seconds : LIMIT_MS
}

/** There is no answer. Its message never has the address. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether DingTalk may have got the request. */
  readonly wasSent: boolean

  constructor(reason: string, wasSent: boolean) {
    super(reason)
    this.wasSent = wasSent
  }
}

/** Why an account cannot connect until its owner has changed something. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** Returns why a connection failed, for the owner. It has no address and no secret. */
export function connectError(error: unknown): Error {
  if (error instanceof NoAnswerError) return new Error(`DingTalk cannot be reached: ${error.message}`)
  if (!(error instanceof DingTalkError)) return error instanceof Error ? error : new Error(messageOf(error))
  if (error.status === 401 || WRONG_ACCOUNT.test(error.code))
    return new ConfigurationError(
      `DingTalk refuses the account: ${error.message}. Check \`clientId\` and \`clientSecret\``,
    )
  return new Error(`DingTalk refuses: ${error.message}`)
}

/** Returns a failure to send as chat expects it. */
export function sendError(error: unknown): Error {
  if (error instanceof NoAnswerError)
    return error.wasSent
      ? new Error(`DingTalk has not answered (${error.message}); the message may have arrived`)
      : new SendError('offline', `DingTalk cannot be reached: ${error.message}`)
  if (!(error instanceof DingTalkError)) return error as Error
  const { retryAfter, status, message, isGroupLimit } = error
  if (retryAfter !== undefined)
    return new SendError('rate-limited', `DingTalk limits the rate: ${message}`, {
      retryAfter,
      scope: isGroupLimit ? 'channel' : 'endpoint',
    })
  if (connectError(error) instanceof ConfigurationError) return new SendError('offline', connectError(error).message)
  if (status >= 500) return new Error(`DingTalk failed: ${message}; the message may have arrived`)
  return new SendError('refused', `DingTalk refuses the message: ${message}`)
}

/** Returns why a file cannot be fetched. */
export function wireError(error: unknown): WireError {
  if (!(error instanceof DingTalkError)) return new WireError('upstream_unavailable', connectError(error).message)
  const { retryAfter, status, message } = error
  if (retryAfter !== undefined)
    return new WireError('rate_limited', message, { retryAfter: Math.ceil(retryAfter / 1000) })
  if (status === 403) return new WireError('forbidden', `The bot may not do this: ${message}`)
  if (status === 404) return new WireError('not_found', message)
  return new WireError(status < 500 ? 'unsupported' : 'upstream_unavailable', message)
}
