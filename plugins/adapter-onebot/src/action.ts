import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { isRecord, textOf, type Frame } from './wire.js'

/** A connection through which the server is asked to act. */
export interface Transport {
  /**
   * Resolves with the data of the answer.
   *
   * @throws ActionError where the server refuses; `SendError` where nothing left the host; otherwise it is not known
   * whether the server has acted
   */
  call(action: string, params: Frame): Promise<unknown>
  /** Resolves when nothing more arrives. */
  close(): Promise<void>
}

const REASON_LENGTH = 300
/** Codes for an action that the server does not have. */
const UNSUPPORTED = new Set([404, 1404, 10_002])
const BAD_TOKEN = new Set([401, 403, 1401, 1403])

/** The server refuses an action. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: number
  /** Whether the server gave up waiting for QQ, which may act later. */
  readonly isTimeout: boolean

  constructor(action: string, code: number, reason: string) {
    super(`${action} failed (${code})${reason && `: ${reason}`}`)
    this.code = code
    this.isTimeout = /time ?d? ?out/i.test(reason)
  }

  get isUnsupported(): boolean {
    return UNSUPPORTED.has(this.code)
  }
}

/** Returns the sentence for a refused token, where a code says that. */
export const tokenMistake = (code: number): string | undefined =>
  BAD_TOKEN.has(code) ? `The OneBot server refuses the token (${code}): check \`token\`` : undefined

/** Returns the data of an answer. */
export function dataOf(action: string, answer: Frame): unknown {
  const { status, retcode, data } = answer
  // `async`: the server has taken it and does not wait for the outcome.
  if (status === 'ok' || status === 'async' || (status === undefined && retcode === 0)) return data
  const code = typeof retcode === 'number' && Number.isSafeInteger(retcode) ? retcode : -1
  const reason =
    textOf(answer.wording, REASON_LENGTH) || textOf(answer.message, REASON_LENGTH) || textOf(answer.msg, REASON_LENGTH)
  throw new ActionError(action, code, reason)
}

/** Returns the items of an answer that are objects. */
export const listOf = (data: unknown): Frame[] => (Array.isArray(data) ? data.filter(isRecord) : [])

/** Returns why an account cannot connect. */
export function connectErrorOf(error: unknown): Error {
  const mistake = error instanceof ActionError ? tokenMistake(error.code) : undefined
  return new Error(mistake ?? `The OneBot server cannot be used: ${messageOf(error)}`)
}

/** Returns a failure to send as chat expects it. */
export function sendErrorOf(error: unknown): Error {
  if (error instanceof SendError) return error
  if (!(error instanceof ActionError)) return new Error(`${messageOf(error)}; the message may have arrived`)
  if (error.isTimeout) return new Error(`${error.message}; the message may have arrived`)
  return new SendError('refused', `The OneBot server refuses the message: ${error.message}`)
}

/** Returns a failed action on a group or a request as a `WireError`. */
export function wireErrorOf(error: unknown): WireError {
  if (error instanceof SendError) return new WireError('not_ready', error.message)
  if (!(error instanceof ActionError)) return new WireError('upstream_unavailable', messageOf(error))
  if (error.isUnsupported) return new WireError('unsupported', `The OneBot server does not have it: ${error.message}`)
  return new WireError(error.isTimeout ? 'upstream_unavailable' : 'forbidden', error.message)
}
