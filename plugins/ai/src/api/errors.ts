/**
 * The class of a failure.
 *
 * - `rate-limit`: too many requests
 * - `overloaded`: the provider is busy
 * - `server`: the provider failed
 * - `network`: the provider is unreachable
 * - `timeout`: the provider was silent for too long
 * - `auth`: the key is refused
 * - `billing`: the account has no credit
 * - `not-found`: the provider has no such model
 * - `overflow`: the request is larger than the context window
 * - `format`: the provider refuses the form of the request
 * - `refusal`: a filter of the provider refuses the content
 * - `unsupported`: the provider has no such function
 * - `not-installed`: the package of the family is missing
 * - `budget`: the budget of the host is used up
 * - `not-allowed`: the model is not on the list of its provider
 * - `unconfigured`: no provider is configured
 * - `aborted`: the caller stopped the request
 * - `unknown`: anything else
 */
export type FailureClass =
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'timeout'
  | 'auth'
  | 'billing'
  | 'not-found'
  | 'overflow'
  | 'format'
  | 'refusal'
  | 'unsupported'
  | 'not-installed'
  | 'budget'
  | 'not-allowed'
  | 'unconfigured'
  | 'aborted'
  | 'unknown'

/** A failure of a model or of its connection. Its message has neither keys nor addresses and can be shown to people. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly class: FailureClass
  /** Stable, for programs: `model/<class>`. */
  readonly code: `model/${FailureClass}`
  /** Alias of the provider, if one was asked. */
  readonly provider?: string
  readonly model?: string
  /** HTTP status, if there was one. */
  readonly status?: number
  /** Milliseconds until the provider can be asked again, by its own account. */
  readonly retryAfterMs?: number

  constructor(
    failure: FailureClass,
    message: string,
    extra: {
      provider?: string | undefined
      model?: string | undefined
      status?: number | undefined
      retryAfterMs?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.class = failure
    this.code = `model/${failure}`
    if (extra.provider !== undefined) this.provider = extra.provider
    if (extra.model !== undefined) this.model = extra.model
    if (extra.status !== undefined) this.status = extra.status
    if (extra.retryAfterMs !== undefined) this.retryAfterMs = extra.retryAfterMs
  }
}

/** Failures whose reason is not in the request. */
const NOT_BY_CONTENT: ReadonlySet<FailureClass> = new Set([
  'aborted',
  'billing',
  'rate-limit',
  'overloaded',
  'network',
  'timeout',
  'budget',
  'not-allowed',
  'unconfigured',
  'not-installed',
])
const FORBIDDEN = 403

/** Returns whether a request may be refused for what is in it. Some servers forbid pictures, files and words. */
export const mayBeByContent = ({ class: failure, status }: ModelError): boolean =>
  failure === 'auth' ? status === FORBIDDEN : !NOT_BY_CONTENT.has(failure)

/** Returns whether `error` is a {@link ModelError}, including one of another copy of this package. */
export function isModelError(error: unknown): error is ModelError {
  return error instanceof Error && error.name === 'ModelError' && typeof (error as ModelError).class === 'string'
}
