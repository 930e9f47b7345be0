import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { textOf, type Fields } from './wire.js'

/** Pause after a limit where Lark names none, ms. */
const LIMIT_MS = 1_000
/** The codes of limits: of an application, and of one chat. */
const TOO_FAST: ReadonlySet<number> = new Set([99_991_400, 11_232, 11_233])
const CHAT_TOO_FAST = 230_020
/** The codes of an unknown application and of a wrong secret. */
const WRONG_ACCOUNT: ReadonlySet<number> = new Set([403, 514, 10_003, 10_014, 10_015])
const NO_PERMISSION: ReadonlySet<number> = new Set([99_991_672, 99_991_679, 230_027])

/** Lark refuses a request. */
export class LarkError extends Error {
  override readonly name = 'LarkError'
  readonly status: number
  /** Lark's own number of the error. */
  readonly code: number
  /** Milliseconds for which Lark takes nothing more. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Fields, retryAfter?: string | null) {
    const code = typeof body.code === 'number' ? body.code : 0
    super(`${textOf(body.msg, 200) || 'no reason given'} (${[status, code].filter(Boolean).join(', ')})`)
    this.status = status
    this.code = code
    const isLimit = status === 429 || code === CHAT_TOO_FAST || TOO_FAST.has(code)
    const seconds = Number(retryAfter ?? Number.NaN)
    const named = seconds >= 0 && seconds < 86_400 ? 1_000 * seconds : LIMIT_MS
    this.retryAfter = isLimit ? named : undefined
  }

  /** Whether only one chat is limited. */
  get isGroupLimit(): boolean {
    return this.code === CHAT_TOO_FAST
  }

  get isPermission(): boolean {
    return this.status === 403 || NO_PERMISSION.has(this.code)
  }
}

/** There is no answer. Its message never has the address. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether Lark may have got the request. */
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
  if (error instanceof NoAnswerError) return new Error(`Lark cannot be reached: ${error.message}`)
  if (!(error instanceof LarkError)) return error instanceof Error ? error : new Error(messageOf(error))
  if (WRONG_ACCOUNT.has(error.code))
    return new ConfigurationError(`Lark refuses the account: ${error.message}. Check \`appId\` and \`appSecret\``)
  return new Error(`Lark refuses: ${error.message}`)
}

/** Returns a failure to send as chat expects it. */
export function sendError(error: unknown): Error {
  if (error instanceof NoAnswerError)
    return error.wasSent
      ? new Error(`Lark has not answered (${error.message}); the message may have arrived`)
      : new SendError('offline', `Lark cannot be reached: ${error.message}`)
  if (!(error instanceof LarkError)) return error as Error
  const { retryAfter, status, message, isGroupLimit } = error
  if (retryAfter !== undefined)
    return new SendError('rate-limited', `Lark limits the rate: ${message}`, {
      retryAfter,
      scope: isGroupLimit ? 'channel' : 'endpoint',
    })
  if (connectError(error) instanceof ConfigurationError) return new SendError('offline', connectError(error).message)
  if (status >= 500) return new Error(`Lark failed: ${message}; the message may have arrived`)
  return new SendError('refused', `Lark refuses the message: ${message}`)
}

/** Returns a failed action as a `WireError`. */
export function wireError(error: unknown): WireError {
  if (error instanceof WireError) return error
  if (!(error instanceof LarkError)) return new WireError('upstream_unavailable', connectError(error).message)
  const { retryAfter, status, message } = error
  if (retryAfter !== undefined)
    return new WireError('rate_limited', message, { retryAfter: Math.ceil(retryAfter / 1000) })
  if (error.isPermission) return new WireError('forbidden', `The bot may not do this: ${message}`)
  if (status === 404) return new WireError('not_found', message)
  return new WireError(status < 500 ? 'unsupported' : 'upstream_unavailable', message)
}
