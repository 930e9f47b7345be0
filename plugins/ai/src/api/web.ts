// The one door for addresses that a model, a chat or a skill names.
import { service, type Service } from '@mynah/kernel'

/** What is asked of an address. */
export interface WebRequest {
  /** Default `GET`. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** Until the last byte, ms; default 30,000. */
  readonly timeout?: number
  /** Bytes of the body; default 2 MiB. */
  readonly maxBytes?: number
  /** What becomes of a longer body: `fail` (default) refuses it, `cut` gives its beginning. */
  readonly over?: 'fail' | 'cut'
  /** Redirects that are followed, each checked like the first; default 5. */
  readonly redirects?: number
}

/** What an address gave. */
export interface WebResponse {
  readonly status: number
  /** After redirects. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Without parameters, in lower case; empty where none was told. */
  readonly mediaType: string
  readonly body: Uint8Array
  /** The body was longer and is cut. */
  readonly cut: boolean
  /** The body by the charset that its headers name, else UTF-8. */
  text(): string
}

/**
 * `address` it is none of `http` or `https`; `forbidden` it is of this machine or a private network; `unreachable`; `timeout`;
 * `too-large`; `redirects` too many; `aborted`.
 */
export type WebFailure = 'address' | 'forbidden' | 'unreachable' | 'timeout' | 'too-large' | 'redirects' | 'aborted'

/** Why an address gave nothing; its message may be shown. */
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

/** Addresses that others name: public ones only, unless `ai.web.allowHosts` names the host. Any status is an answer; failures are {@link WebError}s. */
export interface Web {
  fetch(url: string | URL, request?: WebRequest): Promise<WebResponse>
}
export const Web: Service<Web> = service<Web>('ai.web')
