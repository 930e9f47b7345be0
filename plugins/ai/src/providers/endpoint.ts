// The address of one provider and the requests to it. Requests go to no other host, answers are limited in size, and a
// server without the API is reported.
import { ModelError } from '../api/errors.js'
import type { Web } from '../api/web.js'
import { asModelError, type Secrets } from '../errors/as-model-error.js'
import { scrub } from '../errors/scrub.js'
import { parsedOr, wordsIn } from '../errors/words.js'
import { limitBody, MAX_ERROR_BYTES, rejectErrorDocument } from './bodies.js'
import { MEDIA, type ProviderForms } from './refused-forms.js'

const MAX_BYTES = 64 * 1024 * 1024
/** The longest line of an event stream in bytes. It may have an image. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024
/** The longest line of JSON in bytes. A package scans it from the start with each chunk. */
const MAX_LINE_BYTES = 1024 * 1024

/** Statuses of a request that is refused for what it has, and of one that the template of a chat fails on. */
const REFUSES = new Set([400, 422, 500])
/** The most fields that one request is asked without. */
const MAX_REFUSED = 5

const isChat = (url: URL): boolean => url.pathname.endsWith('/chat/completions')

export type Fetch = typeof globalThis.fetch

/** Options of an endpoint. */
export interface EndpointOptions {
  /** Fetches addresses that the provider's answers name. */
  readonly web?: Web | undefined
  /** Sends its requests. Default: over the network. */
  readonly fetch?: Fetch | undefined
  readonly secrets?: Secrets
  /** The forms that its models refuse. */
  readonly forms?: ProviderForms | undefined
}

/**
 * The address of a provider, with bounded requests to it. A base address without a version gets that of its family, if
 * that is what exists.
 */
export class Endpoint {
  readonly #origin: string
  readonly #path: string
  readonly #web: Web | undefined
  readonly #forms: ProviderForms | undefined
  readonly #fetch: Fetch | undefined
  /** Another path to try where nothing is found at the own one, and whether it is the right one. */
  readonly #guess: { bare: boolean | undefined; readonly path?: string }
  /** Secrets that no message may show: the key of its requests. */
  readonly secrets: Secrets

  constructor(
    origin: string,
    path: string,
    options: EndpointOptions & { readonly guess?: { bare: boolean | undefined; readonly path?: string } } = {},
  ) {
    this.#origin = origin
    this.#path = path
    this.#web = options.web
    this.#forms = options.forms
    this.#fetch = options.fetch
    this.secrets = options.secrets ?? []
    this.#guess = options.guess ?? { bare: false }
  }

  /** Returns the endpoint of a configured address; `fallback` is that of the family. */
  static of(address: string | undefined, fallback: string, options: EndpointOptions = {}): Endpoint {
    const own = new URL(fallback)
    const url = new URL(address ?? fallback)
    const path = withoutSlashes(url.pathname)
    const version = withoutSlashes(own.pathname)
    if (!path) return new Endpoint(url.origin, version, { ...options, guess: { bare: undefined } })
    const isWhole = !version || /\/v\d[a-z0-9]*(?:\/|$)/.test(path)
    return new Endpoint(url.origin, path, {
      ...options,
      ...(isWhole ? {} : { guess: { bare: undefined, path: `${path}${version}` } }),
    })
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
      forms: this.#forms,
      fetch: this.#fetch,
    })
  }

  readonly fetch: Fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    // Addresses in answers of a provider are not trusted.
    if (url.origin !== new URL(this.#origin).origin) return this.#elsewhere(url, init?.signal)
    const first = await this.#askInForms(this.#guess.bare ? this.#withoutPath(url) : url, init)
    if (this.#guess.bare !== undefined || !this.#path) return first
    if (first.status !== 404) {
      this.#guess.bare = false
      return first
    }
    const second = await this.#askInForms(this.#withoutPath(url), init).catch(() => undefined)
    if (!second || second.status === 404) {
      await second?.body?.cancel()
      return first
    }
    await first.body?.cancel()
    this.#guess.bare = true
    return second
  }

  #askInForms(url: URL, init: RequestInit | undefined): Promise<Response> {
    const body = isChat(url) ? init?.body : undefined
    const model = typeof body === 'string' ? modelIn(body) : undefined
    return this.#forms && typeof body === 'string' && model !== undefined
      ? this.#askModel(url, { ...init, body }, model, this.#forms)
      : this.#ask(url, init)
  }

  /** Asks for a chat completion without what the model refuses, and again without each field that it refuses now. */
  async #askModel(
    url: URL,
    init: RequestInit & { readonly body: string },
    model: string,
    forms: ProviderForms,
  ): Promise<Response> {
    const left = new Set(forms.of(model))
    // The messages have none by now.
    left.delete(MEDIA)
    const refused: string[] = []
    let words = ''
    for (;;) {
      const body = left.size === 0 ? init.body : (await import('./request-forms.js')).withoutForms(init.body, left)
      const response = await this.#ask(url, { ...init, body })
      const { status, statusText, headers } = response
      if (!REFUSES.has(status) || refused.length === MAX_REFUSED) {
        if (refused.length > 0 && response.ok) forms.learn(model, refused, words)
        return response
      }
      const said = await response.text()
      const { refusedForm } = await import('./request-forms.js')
      const form = isAboutRequest(status, said) ? refusedForm(said, status, body) : undefined
      if (form === undefined || left.has(form)) return new Response(said, { status, statusText, headers })
      left.add(form)
      refused.push(form)
      words = scrub(wordsIn(parsedOr(said)), this.secrets)
    }
  }

  async #ask(url: URL, init: RequestInit | undefined): Promise<Response> {
    // Keys are sent only to the configured address.
    const response = await (this.#fetch ?? fetch)(url, { ...init, redirect: 'manual' })
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
    if (!streamed || !isChat(url)) return answer
    const { repairChatStream } = await import('./chat-stream.js')
    return repairChatStream(answer)
  }

  #withoutPath(url: URL): URL {
    const bare = new URL(url)
    if (bare.pathname.startsWith(`${this.#path}/`))
      bare.pathname = `${this.#guess.path ?? ''}${bare.pathname.slice(this.#path.length)}`
    return bare
  }

  async #elsewhere(url: URL, signal: AbortSignal | null | undefined): Promise<Response> {
    if (!this.#web) throw new ModelError('format', 'The provider refers to another address')
    const { status, headers, body } = await this.#web.fetch(url, { maxBytes: MAX_BYTES, ...(signal ? { signal } : {}) })
    return new Response(body.slice().buffer, { status, headers: { 'content-type': headers['content-type'] ?? '' } })
  }
}

/** Returns the model that a request names, which the packages write first. */
function modelIn(body: string): string | undefined {
  const name = /^\{"model":("(?:[^"\\]|\\.){1,500}")/.exec(body.slice(0, 1_100))?.[1]
  return name === undefined ? undefined : (JSON.parse(name) as string)
}

/** Returns whether a refusal may be about the form of the request, and not about its length or what it says. */
function isAboutRequest(statusCode: number, responseBody: string): boolean {
  const { class: failure } = asModelError({ statusCode, responseBody })
  return failure === 'format' || failure === 'server'
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
