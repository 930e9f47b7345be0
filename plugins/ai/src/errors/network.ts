// Why a provider could not be reached, by the codes of Node in the chain of causes.
import type { FailureClass } from '../api/errors.js'

type Json = Readonly<Record<string, unknown>>

/** A failure of the connection, with its reason in words where there is one. */
export interface NetworkFailure {
  readonly class: Extract<FailureClass, 'network' | 'timeout'>
  readonly reason: string
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EADDRNOTAVAIL: 'there is no route to it',
  ECONNRESET: 'the connection broke',
  ECONNABORTED: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
}
const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
/** The longest chain of causes that is looked through. */
const DEEPEST = 5

const record = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null ? (value as Json) : undefined

/** Returns the failure of the connection in a chain of causes, if there is one. */
export function networkFailureOf(error: Json): NetworkFailure | undefined {
  let each: Json | undefined = error
  for (let depth = 0; each && depth < DEEPEST; depth++) {
    const code = typeof each['code'] === 'string' ? each['code'] : ''
    if (TIMEOUTS.has(code)) return { class: 'timeout', reason: '' }
    if (Object.hasOwn(REASONS, code)) return { class: 'network', reason: REASONS[code] ?? '' }
    each = record(each['cause']) ?? record(firstOf(each['errors']))
  }
  const { name, message } = error
  const isFetch = name === 'TypeError' && /^(?:fetch failed|terminated|network error)$/.test(String(message))
  const isUnknown = isFetch || (typeof message === 'string' && message.startsWith('Cannot connect to API'))
  return isUnknown ? { class: 'network', reason: '' } : undefined
}

/** Node puts the failures of several addresses of one name into a list. */
const firstOf = (errors: unknown): unknown => (Array.isArray(errors) ? errors[0] : undefined)
