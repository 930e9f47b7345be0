// The address of one provider and the requests to it: bounded in size, to nowhere else, and clear where what answers is no API.
import { ModelError } from '../api/errors.js'
import type { Web } from '../api/web.js'
import { asModelError, type Secrets } from '../errors/as-model-error.js'

const MAX_STREAM_BYTES = 64 * 1024 * 1024
const MAX_ERROR_BYTES = 256 * 1024
const MAX_BYTES = 64 * 1024 * 1024

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

  constructor(origin: string, path: string, options: EndpointOptions & { readonly guess?: { bare: boolean | undefined } } = {}) {
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
    return new Endpoint(this.#origin, this.#path.endsWith(path) ? this.#path : `${this.#path}${path}`, { web: this.#web, secrets: this.secrets })
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
      throw new ModelError('server', 'The provider answers with a redirect: write the address that it leads to as base URL')
    }
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && type.startsWith('text/html')) {
      await response.body?.cancel()
      throw new ModelError('server', 'The provider answers with a web page and not as an API: check its base URL')
    }
    if (response.ok && type.startsWith('application/json') && wantsStream(url, init)) return refusedInside(bounded(response, MAX_BYTES), this.secrets)
    return bounded(response, response.ok ? (type.startsWith('text/event-stream') ? MAX_STREAM_BYTES : MAX_BYTES) : MAX_ERROR_BYTES)
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
  return url.pathname.endsWith(':streamGenerateContent') || (typeof init?.body === 'string' && init.body.includes('"stream":true'))
}

/** A stream that calls itself JSON; one document with an error in it, in the place of a stream, is a failure. */
async function refusedInside(response: Response, secrets: Secrets): Promise<Response> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    chunks.push(value)
    size += value.length
    // A document begins with a brace; lines of JSON end before it does.
    if (chunks[0]?.[0] !== 0x7b || value.includes(0x0a) || size > MAX_ERROR_BYTES) return restored(response, chunks, reader)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    // The package says what is wrong with it.
    return restored(response, chunks, undefined)
  }
  if (typeof document === 'object' && document !== null && 'error' in document) throw asModelError(document, undefined, secrets)
  return restored(response, chunks, undefined)
}

/** The same response with what was read of it put back. */
function restored({ status, headers }: Response, chunks: readonly Uint8Array[], rest: ReadableStreamDefaultReader<Uint8Array> | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      if (!rest) controller.close()
    },
    async pull(controller) {
      const { done, value } = (await rest?.read()) ?? { done: true, value: undefined }
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => rest?.cancel(reason),
  })
  return new Response(body, { status, headers })
}

/** The same response, failing where its body is longer than `max`. */
function bounded(response: Response, max: number): Response {
  if (!response.body) return response
  let size = 0
  const counted = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > max) controller.error(new ModelError('server', `The answer of the provider is longer than ${max / 1024 / 1024} MiB`))
      else controller.enqueue(chunk)
    },
  }))
  const { status, statusText, headers } = response
  return new Response(counted, { status, statusText, headers })
}

/** A path without the slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
