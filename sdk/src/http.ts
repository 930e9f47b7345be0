// Requests to one host: its prefix, its token, its time limits, and what a 401 means.
import { AUTH_REQUIRED_EVENT } from '@mynah/contract/wire'
import { forgetToken, loadConnection, type ConnectionStorage } from './connection.js'
import { withTimeout, type Clock } from './clock.js'
import { failureOf, NetworkError } from './errors.js'
import { healthOf } from './probe.js'
import type { Fetch } from './obstacle.js'

/** One request. */
export interface Call {
  readonly method: string
  /** Below the management prefix if `secured`, else below the base. */
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

/** Sends requests and knows what the host is called and who is asking. */
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

  /** The management prefix, asked of the host once; a failed question is asked again. */
  prefix(): Promise<string> {
    const asked = (this.#prefix ??= this.#ask().catch((error: unknown) => {
      if (this.#prefix === asked) this.#prefix = undefined
      throw error
    }))
    return asked
  }

  /** Asks for the prefix again; true if it is another one than before. */
  async refreshPrefix(): Promise<boolean> {
    const before = await this.prefix()
    this.#prefix = undefined
    return (await this.prefix()) !== before
  }

  async #ask(): Promise<string> {
    const { body } = await this.#exchange({ method: 'GET', path: '/pub/health', secured: false }, '')
    const health = healthOf(body)
    if (!health) throw new NetworkError('bad-response', `Something else than a Mynah host answers at ${this.base}`)
    return health.apiPrefix
  }

  /** The body of a successful answer. */
  async send(call: Call): Promise<unknown> {
    const { response, body } = await this.#exchange(
      call,
      call.secured ? await abortable(this.prefix(), call.signal) : '',
    )
    if (!response.ok) throw this.#failure(call.path, response, body)
    return body
  }

  /** Opens an answer that has no end; the caller reads it and ends it by `signal`. */
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
    const late = () => new NetworkError('timeout', `${call.path} was not answered within ${ms / 1000} s`)
    return withTimeout(clock, ms, call.signal, late, async (signal) => {
      // Hosts take a body as JSON or not at all, so that one without content is an empty object.
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

  /** A token never follows a redirect to another place, and cookies are nobody's business here. */
  async #fetch(url: string, path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    try {
      return await this.#options.fetch(url, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...init })
    } catch (error) {
      init.signal.throwIfAborted()
      throw new NetworkError('unreachable', `${this.base} did not answer ${path}`, error)
    }
  }

  #bearer(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {}
  }

  #failure(path: string, response: Response, body: unknown): Error {
    if (response.status === 401) this.authRequired()
    return failureOf(path, response, body)
  }

  /** Forgets a token that the host refused, here and in storage, and tells the page. */
  authRequired(): void {
    const { storage } = this.#options
    if (storage && loadConnection({ storage, linkBase: this.base }).token === this.#token)
      forgetToken(this.base, storage)
    this.#token = undefined
    if (typeof window !== 'undefined')
      window.dispatchEvent(new CustomEvent(AUTH_REQUIRED_EVENT, { detail: { base: this.base } }))
  }
}

/** A shared answer, given up by one of those who wait for it. */
function abortable<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** The body of an answer: a value where it says JSON, else text. A failure may say what it likes. */
async function read(path: string, response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    if (error instanceof TypeError) throw new NetworkError('unreachable', `The answer to ${path} broke off`, error)
    throw error
  }
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && /^text\/html\b/.test(type))
    throw new NetworkError('bad-response', `A page instead of an answer came for ${path}`)
  if (!/\bjson\b/.test(type)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!response.ok) return text
    throw new NetworkError('bad-response', `The answer to ${path} is not JSON`, error)
  }
}
