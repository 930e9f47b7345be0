import { messageOf, toError } from '@mynah/kernel'
import { cut, storable } from './text.js'

/** Delays before the second and third attempt, in milliseconds. */
export const RETRY_DELAYS_MS: readonly number[] = [30_000, 300_000]
/** Consecutive failed slots after which a job is paused. */
export const FAILURES_TO_PAUSE = 5
const MAX_ERROR = 1_000

/** Classes of a `ModelError` for which a retry may succeed. */
const TRANSIENT_CLASSES = new Set(['rate-limit', 'overloaded', 'server', 'network', 'timeout'])
/** Classes of a `ModelError` caused by the API key or the account. */
const CREDENTIAL_CLASSES = new Set(['auth', 'billing'])
const TRANSIENT_CODES = new Set(['not_ready', 'rate_limited', 'upstream_unavailable'])
/** Codes of failed connections (Node.js and undici). */
const TRANSIENT_NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
])
const UNDICI_CODE = /^UND_ERR_\w{1,40}$/
const isNetworkCode = (code: string): boolean => TRANSIENT_NETWORK_CODES.has(code) || UNDICI_CODE.test(code)

const classOf = (error: Error): string | undefined => {
  const { class: kind } = error as { class?: unknown }
  return error.name === 'ModelError' && typeof kind === 'string' ? kind : undefined
}
const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Returns whether a retry may succeed. */
export function isTransient(thrown: unknown): boolean {
  const error = toError(thrown)
  const kind = classOf(error)
  if (kind !== undefined) return TRANSIENT_CLASSES.has(kind)
  const code = codeOf(error)
  // A request with an unknown outcome may have had effects, so it is never repeated.
  if (code === 'upstream_unavailable:unknown') return false
  if (TRANSIENT_CODES.has(code.split(':', 1)[0] ?? '') || isNetworkCode(code)) return true
  const { cause } = error as { cause?: unknown }
  return error.name === 'TypeError' && cause !== undefined && isNetworkCode(codeOf(toError(cause)))
}

/** Returns whether the API key or the account caused the failure. */
export const isCredentialFailure = (thrown: unknown): boolean => CREDENTIAL_CLASSES.has(classOf(toError(thrown)) ?? '')

/** Returns the redacted message of a failure, truncated. */
export const failureText = (thrown: unknown, redact: (text: string) => string): string =>
  cut(storable(redact(messageOf(thrown))), MAX_ERROR)
