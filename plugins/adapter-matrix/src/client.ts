import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isRecord } from '@mynah/contract'
import { exchange, type Answer } from './http.js'

/** Time for the answer to a call, ms. */
const CALL_MS = 30_000
/** Time for a file to come or go, ms. */
const MEDIA_MS = 60_000
/** Largest answer to a call, in bytes. */
const MAX_ANSWER = 32 * 1024 * 1024
const MAX_TEXT = 300

/** A refusal of the homeserver. */
export class MatrixError extends Error {
  override readonly name = 'MatrixError'
  readonly status: number
  /** Such as `M_FORBIDDEN`; empty where the answer is not of a homeserver. */
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor({ status, headers, body }: Answer) {
    const { errcode, error, retry_after_ms: asked } = recordOf(body) ?? {}
    const code = typeof errcode === 'string' && /^[\w.]{1,64}$/.test(errcode) ? errcode : ''
    super([status, code, typeof error === 'string' ? error.slice(0, MAX_TEXT) : ''].filter(Boolean).join(' '))
    this.status = status
    this.code = code
    const seconds = Number(headers['retry-after'])
    if (typeof asked === 'number' && asked > 0) this.retryAfterMs = asked
    else this.retryAfterMs = seconds > 0 ? seconds * 1000 : undefined
  }
}

function recordOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a path whose values are encoded. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((done, part, index) => done + encodeURIComponent(values[index - 1] ?? '') + part)

export interface CallOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Calls of the client-server API, for one connection of an account. */
export class MatrixClient {
  token: string | undefined
  readonly #root: string
  readonly #agent: HttpAgent
  readonly #closing = new AbortController()

  constructor(homeserver: string) {
    this.#root = homeserver
    this.#agent = new (homeserver.startsWith('https:') ? HttpsAgent : HttpAgent)({ keepAlive: true })
  }

  /** Aborts when the connection ends. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /** Ends all calls and closes all connections. */
  close(): void {
    this.#closing.abort()
    this.#agent.destroy()
  }

  get(at: string, options: Omit<CallOptions, 'body'> = {}): Promise<Record<string, unknown>> {
    return this.call('GET', at, options)
  }

  /**
   * Calls the homeserver.
   *
   * @param at path below `/_matrix/client/v3`, or one that begins with `/_matrix/`
   * @throws MatrixError, NoAnswerError
   */
  async call(
    method: string,
    at: string,
    { query, body, timeoutMs = CALL_MS, signal }: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const answer = await this.#ask(method, at, query, {
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER,
      timeoutMs,
      signal,
    })
    const result = recordOf(answer.body)
    if (answer.status !== 200 || !result) throw new MatrixError(answer)
    return result
  }

  /** Stores a file on the homeserver and returns its `mxc:` address. */
  async upload(bytes: Uint8Array, mime: string, name: string): Promise<string> {
    const answer = await this.#ask(
      'POST',
      '/_matrix/media/v3/upload',
      { filename: name },
      {
        headers: { 'content-type': mime },
        body: bytes,
        maxBytes: MAX_ANSWER,
        timeoutMs: MEDIA_MS,
      },
    )
    const address = recordOf(answer.body)?.['content_uri']
    if (answer.status !== 200 || typeof address !== 'string') throw new MatrixError(answer)
    return address
  }

  /** Returns the bytes of a file, or the address that the homeserver redirects to. */
  async download(at: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | { readonly location: string }> {
    const answer = await this.#ask('GET', at, undefined, { maxBytes, timeoutMs: MEDIA_MS, signal })
    const { location } = answer.headers
    if (answer.status > 300 && answer.status < 400 && location) return { location }
    if (answer.status !== 200) throw new MatrixError(answer)
    return answer.body
  }

  #ask(
    method: string,
    at: string,
    query: CallOptions['query'],
    {
      headers,
      signal,
      ...rest
    }: {
      readonly signal?: AbortSignal | undefined
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array | undefined
      readonly maxBytes: number
      readonly timeoutMs: number
    },
  ): Promise<Answer> {
    const url = new URL(this.#root + (at.startsWith('/_matrix/') ? at : `/_matrix/client/v3${at}`))
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    return exchange(url, {
      ...rest,
      method,
      headers: { ...headers, ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }) },
      signal: signal ? AbortSignal.any([signal, this.signal]) : this.signal,
      agent: this.#agent,
    })
  }
}
