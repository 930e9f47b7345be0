import { service, type Service } from '@mynah/kernel'

/** A request to an address. */
export interface WebRequest {
  /** Default `GET`. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** Timeout until the last byte in milliseconds; default 30,000. */
  readonly timeout?: number
  /** The longest body in bytes; default 2 MiB. */
  readonly maxBytes?: number
  /** How to handle a longer body: `fail` (default) refuses it, `cut` returns its beginning. */
  readonly over?: 'fail' | 'cut'
  /** How many redirects to follow, each checked like the first address; default 5. */
  readonly redirects?: number
}

/** The answer of an address. */
export interface WebResponse {
  readonly status: number
  /** The address after redirects. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Without parameters, in lower case. Empty when the answer has none. */
  readonly mediaType: string
  readonly body: Uint8Array
  /** Whether the body was longer and is cut. */
  readonly cut: boolean
  /** Decodes the body by the charset of its headers, else as UTF-8. */
  text(): string
}

/**
 * The reason of a failed request.
 *
 * - `address`: neither `http` nor `https`
 * - `forbidden`: an address of this machine or of a private network
 * - `redirects`: too many redirects
 */
export type WebFailure = 'address' | 'forbidden' | 'unreachable' | 'timeout' | 'too-large' | 'redirects' | 'aborted'

/** The failure of a fetch. Its message can be shown to people. */
export class WebError extends Error {
  override readonly name = 'WebError'
  readonly reason: WebFailure
  readonly code: `web/${WebFailure}`

  constructor(reason: WebFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.reason = reason
    this.code = `web/${reason}`
  }
}

/**
 * Fetches addresses that others name. Only public ones are allowed, unless `ai.web.allowHosts` names the host. Any
 * status is an answer.
 */
export interface Web {
  fetch(url: string | URL, request?: WebRequest): Promise<WebResponse>
}
export const Web: Service<Web> = service<Web>('ai.web', { plugin: 'ai' })
