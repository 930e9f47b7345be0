// The address of one provider and the requests to it. Requests go to no other host, answers are limited in size, and a
// server without the API is reported.
import { ModelError } from '../api/errors.js'
import type { Web } from '../api/web.js'
import type { Secrets } from '../errors/as-model-error.js'
import { limitBody, MAX_ERROR_BYTES, rejectErrorDocument } from './bodies.js'

const MAX_BYTES = 64 * 1024 * 1024
/** The longest line of an event stream in bytes. It may have an image. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024
/** The longest line of JSON in bytes. A package scans it from the start with each chunk. */
const MAX_LINE_BYTES = 1024 * 1024

export type Fetch = typeof globalThis.fetch

/** Options of an endpoint. */
export interface EndpointOptions {
  /** Fetches addresses that the provider's answers name. */
  readonly web?: Web | undefined
  readonly secrets?: Secrets
}

/**
 * The address of a provider, with bounded requests to it. A base address without a path gets that of its family, unless
 * that does not exist.
 */
export class Endpoint {
  readonly #origin: string
  readonly #path: string
  readonly #web: Web | undefined
  /** The paths to try for a base address without one. */
  readonly #guess: { bare: boolean | undefined }
  /** Secrets that no message may show: the key of its requests. */
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

  /** Returns the endpoint of a configured address; `fallback` is that of the family. */
  static of(address: string | undefined, fallback: string, options: EndpointOptions = {}): Endpoint {
    const own = new URL(fallback)
    const url = new URL(address ?? fallback)
    const path = withoutSlashes(url.pathname)
    if (path) return new Endpoint(url.origin, path, options)
    return new Endpoint(url.origin, withoutSlashes(own.pathname), { ...options, guess: { bare: undefined } })
  }

  /** The address without a slash at its end. */
  get base(): string {
    return `${this.#origin}${this.#path}`
  }

  /** Returns the same provider at a path below its address. */
  below(path: string): Endpoint {
    return new Endpoint(this.#origin, this.#path.endsWith(path) ? this.#path : `${this.#path}${path}`, {
      web: this.#web,
      secrets: this.secrets,
    })
  }

  readonly fetch: Fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    // Addresses in answers of a provider are not trusted.
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
    // Keys are sent only to the configured address.
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
    const limited = limitBody(response, MAX_BYTES, streamed ? maxStreamLine : MAX_BYTES)
    const answer = type.startsWith('application/json')
      ? await rejectErrorDocument(limited, streamed, this.secrets)
      : limited
    if (!streamed || !url.pathname.endsWith('/chat/completions')) return answer
    const { repairChatStream } = await import('./chat-stream.js')
    return repairChatStream(answer)
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

/** Returns whether a stream is requested. */
function wantsStream(url: URL, init: RequestInit | undefined): boolean {
  return (
    url.pathname.endsWith(':streamGenerateContent') ||
    (typeof init?.body === 'string' && init.body.includes('"stream":true'))
  )
}

/** Returns a path without slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
