import { AUTH_REQUIRED_EVENT } from '@mynah/contract/wire'
import { forgetToken, loadConnection, type ConnectionStorage } from './connection.js'
import { withTimeout, type Clock } from './clock.js'
import { failureOf, NetworkError } from './errors.js'
import { healthOf } from './probe.js'
import type { Fetch } from './obstacle.js'

/** One request. */
export interface Call {
  readonly method: string
  /** Relative to the management prefix if `secured`, else to the base. */
  readonly path: string
  readonly secured: boolean
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly timeout?: number
}

export interface HttpOptions {
  readonly base: string
  readonly token?: string | undefined
  readonly fetch: Fetch
  readonly storage?: ConnectionStorage | undefined
  readonly timeout: number
  readonly clock: Clock
}

/** Sends requests to one host, with its management prefix and the token. */
export class Http {
  readonly base: string
  readonly clock: Clock
  #token: string | undefined
  #prefix: Promise<string> | undefined
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.base = options.base
    this.clock = options.clock
    this.#token = options.token || undefined
    this.#options = options
  }

  get token(): string | undefined {
    return this.#token
  }

  /** Returns the management prefix. Asks the host once, and again after a failure. */
  prefix(): Promise<string> {
    const asked = (this.#prefix ??= this.#fetchPrefix().catch((error: unknown) => {
      if (this.#prefix === asked) this.#prefix = undefined
      throw error
    }))
    return asked
  }

  /** Asks for the prefix again. Returns whether it has changed. */
  async refreshPrefix(): Promise<boolean> {
    const before = await this.prefix()
    this.#prefix = undefined
    return (await this.prefix()) !== before
  }

  async #fetchPrefix(): Promise<string> {
    const { body } = await this.#exchange({ method: 'GET', path: '/pub/health', secured: false }, '')
    const health = healthOf(body)
    if (!health) throw new NetworkError('bad-response', `${this.base} is not a Mynah host`)
    return health.apiPrefix
  }

  /** Returns the body of a successful response. */
  async send(call: Call): Promise<unknown> {
    const { response, body } = await this.#exchange(
      call,
      call.secured ? await abortable(this.prefix(), call.signal) : '',
    )
    if (!response.ok) throw this.#failure(call.path, response, body)
    return body
  }

  /** Opens an endless response. The caller reads it and ends it with `signal`. */
  async open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(`${this.base}${await abortable(this.prefix(), signal)}${path}`, path, {
      headers: { ...headers, ...this.#bearer() },
      signal,
    })
    if (!response.ok) throw this.#failure(path, response, await read(path, response))
    return response
  }

  async #exchange(call: Call, prefix: string): Promise<{ response: Response; body: unknown }> {
    const { clock, timeout } = this.#options
    const ms = call.timeout ?? timeout
    const timeoutError = () => new NetworkError('timeout', `${call.path} did not respond within ${ms / 1000} s`)
    return withTimeout(clock, ms, call.signal, timeoutError, async (signal) => {
      // Hosts expect a JSON body, so that an empty one is an empty object.
      const body = call.body ?? (call.method.startsWith('P') ? {} : undefined)
      const response = await this.#fetch(`${this.base}${prefix}${call.path}`, call.path, {
        method: call.method,
        headers: {
          ...(call.secured ? this.#bearer() : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal,
      })
      return { response, body: await read(call.path, response) }
    })
  }

  /** Follows no redirects, which would send the token to another address, and sends no cookies. */
  async #fetch(url: string, path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    try {
      return await this.#options.fetch(url, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...init })
    } catch (error) {
      init.signal.throwIfAborted()
      throw new NetworkError('unreachable', `${this.base} did not respond to ${path}`, error)
    }
  }

  #bearer(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {}
  }

  #failure(path: string, response: Response, body: unknown): Error {
    if (response.status === 401) this.authRequired()
    return failureOf(path, response, body)
  }

  /** Forgets a token that the host rejected, here and in storage, and notifies the page. */
  authRequired(): void {
    const { storage } = this.#options
    if (storage && loadConnection({ storage, linkBase: this.base }).token === this.#token)
      forgetToken(this.base, storage)
    this.#token = undefined
    if (typeof window !== 'undefined')
      window.dispatchEvent(new CustomEvent(AUTH_REQUIRED_EVENT, { detail: { base: this.base } }))
  }
}

/** Waits for a shared promise until `signal` aborts. */
function abortable<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Reads a body as JSON if that is its type, else as text. A failed response may have any body. */
async function read(path: string, response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    if (error instanceof TypeError) throw new NetworkError('unreachable', `The response to ${path} broke off`, error)
    throw error
  }
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && /^text\/html\b/.test(type))
    throw new NetworkError('bad-response', `${path} responded with a web page`)
  if (!/\bjson\b/.test(type)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!response.ok) return text
    throw new NetworkError('bad-response', `The response to ${path} is not JSON`, error)
  }
}
