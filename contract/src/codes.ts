/** The HTTP status, meaning and remedy of each wire error code. A colon refines a code: `invalid_request:config`. */
export const codes = {
  unauthorized: {
    status: 401,
    meaning: 'No valid bearer token came with the request',
    remedy: 'Send `Authorization: Bearer <token>` with a token of this host',
  },
  forbidden: {
    status: 403,
    meaning: 'The token or the origin of the request may not do this',
    remedy: 'Use a token of full scope; check `http.hosts` for the host name',
  },
  not_found: {
    status: 404,
    meaning: 'Nothing exists at this address',
    remedy: 'Check the path against /pub/openapi.json; the plugin that serves it may be off',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists, but not for this method',
    remedy: 'See the `Allow` header',
  },
  invalid_request: {
    status: 400,
    meaning: 'The request does not fit its schema',
    remedy: 'See `details[]`: each item names the path and what was expected',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json`',
    remedy: 'Send JSON with its content type',
  },
  too_large: {
    status: 413,
    meaning: 'The body, file or answer is over its limit',
    remedy: 'Send less, or raise the limit in the configuration',
  },
  rate_limited: { status: 429, meaning: 'Too many attempts', remedy: 'Wait as `Retry-After` says' },
  not_ready: {
    status: 503,
    meaning: 'A service that this needs is not ready',
    remedy: 'Try again later; the plugin list says what it waits for',
  },
  upstream_unavailable: {
    status: 502,
    meaning: 'A server that the host asked did not answer',
    remedy: 'Try again later; check the host’s network',
  },
  unsupported: {
    status: 400,
    meaning: 'The platform or table cannot do this',
    remedy: 'See `capabilities` of the endpoint',
  },
  conflict: {
    status: 409,
    meaning: 'The resource has changed in the meantime, or exists already',
    remedy: 'Read it again and repeat the change',
  },
  unknown_method: {
    status: 400,
    meaning: 'No plugin provides this RPC method',
    remedy: 'See the catalogue at {api_prefix}/console/methods',
  },
  internal: {
    status: 500,
    meaning: 'The host failed; the cause is in its log',
    remedy: 'Look for the request id in the log',
  },
} as const satisfies Record<string, { status: number; meaning: string; remedy: string }>

/** Refined codes with a status of their own, for requests that could not be read. */
export const refinements = {
  'invalid_request:timeout': {
    status: 408,
    meaning: 'The request was not complete in time',
    remedy: 'Send it at once',
  },
  'too_large:headers': {
    status: 431,
    meaning: 'The request has too many headers, or too long ones',
    remedy: 'Send fewer',
  },
} as const satisfies Record<string, { status: number; meaning: string; remedy: string }>

/** A code of the catalogue. */
export type BaseCode = keyof typeof codes
/** A code of the wire, with or without a refinement after a colon. */
export type Code = BaseCode | `${BaseCode}:${string}`

/** A mistake in a request: its path and what was expected there. */
export interface Detail {
  path: string
  message: string
}

/** Returns the HTTP status of a code. */
export function statusOf(code: Code): number {
  return Object.hasOwn(refinements, code)
    ? refinements[code as keyof typeof refinements].status
    : codes[code.split(':', 1)[0] as BaseCode].status
}

/**
 * An error that is meant for the client. Handlers throw it. Any other error is sent as `internal`, with its cause only
 * in the log.
 *
 * @example throw new WireError('not_found', 'No plugin named "x"')
 */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly code: Code
  readonly details?: readonly Detail[]
  /** Sent as `data` together with the error. */
  readonly data?: unknown
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter?: number

  constructor(
    code: Code,
    message: string,
    extra: { details?: readonly Detail[]; data?: unknown; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.code = code
    if (extra.details) this.details = extra.details
    if (extra.data !== undefined) this.data = extra.data
    if (extra.retryAfter !== undefined) this.retryAfter = extra.retryAfter
  }

  /** HTTP status of the code. */
  get status(): number {
    return statusOf(this.code)
  }
}

/** Returns whether `error` is a {@link WireError}, also of another copy of this package. */
export function isWireError(error: unknown): error is WireError {
  return error instanceof Error && error.name === 'WireError' && typeof (error as WireError).code === 'string'
}
