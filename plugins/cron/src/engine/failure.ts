// What a failure means for a run: whether it may pass, when it is tried again, how it is told.
import { messageOf, toError } from '@mynah/kernel'

/** Pauses before the second and third attempt, ms. */
export const PAUSES_MS: readonly number[] = [30_000, 300_000]
/** Failed slots in a row after which a job is paused. */
export const FAILURES_TO_PAUSE = 5
const MAX_ERROR = 1_000

/** Classes of a `ModelError` that may pass by themselves. */
const PASSING_CLASSES = new Set(['rate-limit', 'overloaded', 'server', 'network', 'timeout'])
/** Classes after which asking again can only fail. */
const KEY_CLASSES = new Set(['auth', 'billing'])
const PASSING_CODES = new Set(['not_ready', 'rate_limited', 'upstream_unavailable'])
/** Codes of failed connections. */
const NETWORK =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE|AI_AGAIN)|EAI_AGAIN|ENOTFOUND|UND_ERR_\w{1,40})$/

const classOf = (error: Error): string | undefined => {
  const { class: kind } = error as { class?: unknown }
  return error.name === 'ModelError' && typeof kind === 'string' ? kind : undefined
}
const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether trying again may help. */
export function mayPass(thrown: unknown): boolean {
  const error = toError(thrown)
  const kind = classOf(error)
  if (kind !== undefined) return PASSING_CLASSES.has(kind)
  const code = codeOf(error)
  // An outcome that nobody knows is never repeated.
  if (code === 'upstream_unavailable:unknown') return false
  if (PASSING_CODES.has(code.split(':', 1)[0] ?? '') || NETWORK.test(code)) return true
  const { cause } = error as { cause?: unknown }
  return error.name === 'TypeError' && cause !== undefined && NETWORK.test(codeOf(toError(cause)))
}

/** Whether the key or the account is what fails. */
export const isKeyFailure = (thrown: unknown): boolean => KEY_CLASSES.has(classOf(toError(thrown)) ?? '')

/** The text of a failure, cut. */
export const failureText = (thrown: unknown, redact: (text: string) => string): string =>
  redact(messageOf(thrown)).slice(0, MAX_ERROR)
