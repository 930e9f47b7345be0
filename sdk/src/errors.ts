import type { Code, Detail } from '@mynah/contract/types'

const CODES: Readonly<Record<number, Code>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  502: 'upstream_unavailable',
  503: 'not_ready',
}
const MAX_MESSAGE = 2000

/** The host responded with an error. */
export class HostError extends Error {
  override readonly name = 'HostError'
  /** A code of the wire, with or without a refinement; derived from the status when the response has none. */
  readonly code: Code | (string & {})
  readonly status: number
  readonly details: readonly Detail[]
  /** The field `data` of the response. */
  readonly data: unknown
  /** Seconds to wait, if the host named them. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    fields: {
      code?: string | undefined
      status: number
      details?: readonly Detail[]
      data?: unknown
      retryAfter?: number | undefined
    },
  ) {
    super(message)
    this.code = fields.code ?? CODES[fields.status] ?? (fields.status < 500 ? 'invalid_request' : 'internal')
    this.status = fields.status
    this.details = fields.details ?? []
    this.data = fields.data
    this.retryAfter = fields.retryAfter
  }
}

/** Why there is no valid response of a host. */
export type NetworkReason = 'unreachable' | 'timeout' | 'bad-response'

/** There was no response, or one that is not of a Mynah host. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly reason: NetworkReason

  constructor(reason: NetworkReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the error of a failed response with any body. */
export function failureOf(path: string, response: Response, body: unknown): HostError {
  const { error, code, details, data } = isRecord(body) ? body : {}
  return new HostError(textOf(error) ?? `HTTP ${response.status} for ${path}`, {
    status: response.status,
    code: textOf(code),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    data,
    retryAfter: secondsOf(response.headers.get('retry-after')),
  })
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value.slice(0, MAX_MESSAGE) : undefined

const isDetail = (value: unknown): value is Detail =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'

/** Parses `Retry-After`, which is a number of seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
