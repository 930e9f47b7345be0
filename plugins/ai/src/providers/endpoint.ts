// The address of one provider and the requests to it: bounded in size, to nowhere else, and clear where what answers is
// no API.
import { ModelError } from '../api/errors.js'
import type { Web } from '../api/web.js'
import type { Secrets } from '../errors/as-model-error.js'
import { limitBody, MAX_ERROR_BYTES, rejectErrorDocument } from './bodies.js'

const MAX_BYTES = 64 * 1024 * 1024
/** Of one line of events, in which a picture may stand. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024
/** Of one line of JSON: a package that looks for its end begins anew with each piece. */
const MAX_LINE_BYTES = 1024 * 1024

export type Fetch = typeof globalThis.fetch

/** What an endpoint goes by beside its address. */
export interface EndpointOptions {
  /** For addresses that the provider's answers name. */
  readonly web?: Web | undefined
  readonly secrets?: Secrets
}

/** Where a provider is. A base address without a path gets that of its family, or none where that leads nowhere. */
export class Endpoint {
  readonly #origin: string
  readonly #path: string
  readonly #web: Web | undefined
  /** Which paths are tried for a base address that has none. */
  readonly #guess: { bare: boolean | undefined }
  /** What of it no text may hold: the key that its requests carry. */
  readonly secrets: Secrets

  constructor(
    origin: string,
    path: string,
    options: EndpointOptions & { readonly guess?: { bare: boolean | undefined } } = {},
  ) {
    this.#origin = origin
    this.#path = path
    this.#web = options.web
    this.secrets = options.secrets ?? []
    this.#guess = options.guess ?? { bare: false }
  }

  /** The endpoint of a configured address; `fallback` is the family's own. */
  static of(address: string | undefined, fallback: string, options: EndpointOptions = {}): Endpoint {
    const own = new URL(fallback)
    const url = new URL(address ?? fallback)
    const path = withoutSlashes(url.pathname)
    if (path) return new Endpoint(url.origin, path, options)
    return new Endpoint(url.origin, withoutSlashes(own.pathname), { ...options, guess: { bare: undefined } })
  }

  /** Without a slash at its end. */
  get base(): string {
    return `${this.#origin}${this.#path}`
  }

  /** The same provider at a path below its address. */
  below(path: string): Endpoint {
    return new Endpoint(this.#origin, this.#path.endsWith(path) ? this.#path : `${this.#path}${path}`, {
      web: this.#web,
      secrets: this.secrets,
    })
  }

  readonly fetch: Fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    // A provider may answer with addresses of its own; they are a stranger's.
    if (url.origin !== new URL(this.#origin).origin) return this.#elsewhere(url, init?.signal)
    const first = await this.#ask(this.#guess.bare ? this.#withoutPath(url) : url, init)
    if (this.#guess.bare !== undefined || !this.#path) return first
    if (first.status !== 404) {
      this.#guess.bare = false
      return first
    }
    const second = await this.#ask(this.#withoutPath(url), init).catch(() => undefined)
    if (!second || second.status === 404) {
      await second?.body?.cancel()
      return first
    }
    await first.body?.cancel()
    this.#guess.bare = true
    return second
  }

  async #ask(url: URL, init: RequestInit | undefined): Promise<Response> {
    // Keys go nowhere else than where the configuration says.
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new ModelError(
        'server',
        'The provider answers with a redirect: write the address that it leads to as base URL',
      )
    }
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && type.startsWith('text/html')) {
      await response.body?.cancel()
      throw new ModelError('server', 'The provider answers with a web page and not as an API: check its base URL')
    }
    if (!response.ok) return limitBody(response, MAX_ERROR_BYTES)
    const streamed = wantsStream(url, init)
    const maxStreamLine = type.startsWith('text/event-stream') ? MAX_EVENT_BYTES : MAX_LINE_BYTES
    const answer = limitBody(response, MAX_BYTES, streamed ? maxStreamLine : MAX_BYTES)
    return type.startsWith('application/json') ? rejectErrorDocument(answer, streamed, this.secrets) : answer
  }

  #withoutPath(url: URL): URL {
    const bare = new URL(url)
    if (bare.pathname.startsWith(`${this.#path}/`)) bare.pathname = bare.pathname.slice(this.#path.length)
    return bare
  }

  async #elsewhere(url: URL, signal: AbortSignal | null | undefined): Promise<Response> {
    if (!this.#web) throw new ModelError('format', 'The provider refers to another address')
    const { status, headers, body } = await this.#web.fetch(url, { maxBytes: MAX_BYTES, ...(signal ? { signal } : {}) })
    return new Response(body.slice().buffer, { status, headers: { 'content-type': headers['content-type'] ?? '' } })
  }
}

/** Whether an answer is to be a stream. */
function wantsStream(url: URL, init: RequestInit | undefined): boolean {
  return (
    url.pathname.endsWith(':streamGenerateContent') ||
    (typeof init?.body === 'string' && init.body.includes('"stream":true'))
  )
}

/** A path without the slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
