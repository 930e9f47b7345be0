// An HTTP server for tests that checks each request against what the real service takes, with faults that a test asks
// for. A request that the service would not take fails the test, also where the adapter carries on after it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TSchema } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'

export interface StrictCall {
  readonly method: string
  readonly path: string
  /** Values of the path by the names of the route. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly token: string | undefined
  readonly type: string
  readonly bytes: Buffer
  readonly body: any
  /** Resolves when the client has gone. */
  readonly gone: Promise<void>
}

export interface StrictAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface StrictRoute {
  /** Such as `PUT /rooms/:room/typing/:user`. */
  readonly route: string
  /** Parameters that may be in the query. */
  readonly query?: readonly string[]
  /** Schema of the body. Without it there must be no body, except with `isRaw`. */
  readonly body?: TSchema
  readonly isRaw?: true
  /** Whether it is called without a token. */
  readonly isOpen?: true
  handle(call: StrictCall): StrictAnswer | Promise<StrictAnswer>
}

/**
 * What happens to calls instead of an answer: `silence` never answers, `swallow` does the work and then closes the
 * connection, `cut` closes it before, `slow` sends one byte a second.
 */
export type Fault = 'silence' | 'swallow' | 'cut' | 'slow' | StrictAnswer

interface Planned {
  readonly route: RegExp
  readonly fault: Fault
  left: number
}

const MAX_TRANSCRIPT = 60

interface Matcher {
  readonly definition: StrictRoute
  readonly method: string
  readonly pattern: RegExp
  readonly names: readonly string[]
}

function matcherOf(definition: StrictRoute): Matcher {
  const [method = '', path = ''] = definition.route.split(' ')
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  return { definition, method, names, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) }
}

export class StrictServer {
  readonly #matchers: readonly Matcher[]
  readonly #isToken: (token: string | undefined) => StrictAnswer | undefined
  /** Requests that the service would not have taken. */
  readonly violations: string[] = []
  readonly transcript: string[] = []
  #planned: Planned[] = []
  #server: Server | undefined
  readonly #sockets = new Set<Socket>()
  #port = 0
  calls = 0

  /** @param refusalOf the answer to a token that is wrong or missing, undefined for a good one */
  constructor(routes: readonly StrictRoute[], refusalOf: (token: string | undefined) => StrictAnswer | undefined) {
    this.#matchers = routes.map(matcherOf)
    this.#isToken = refusalOf
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens, after {@link StrictServer.kill} at the same port. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response))
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => {})
    })
    this.#server = server
    await once(server.listen(this.#port, '127.0.0.1'), 'listening')
    this.#port = (server.address() as AddressInfo).port
  }

  /** Dies at once. */
  async kill(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (server?.listening) await once(server.close(), 'close')
  }

  get isUp(): boolean {
    return this.#server !== undefined
  }

  get connections(): number {
    return this.#sockets.size
  }

  /** Ends, and fails where a request was wrong. */
  async stop(): Promise<void> {
    await this.kill()
    if (this.violations.length > 0)
      throw new Error(`${this.violations.join('\n')}\nlast calls:\n${this.transcript.join('\n')}`)
  }

  /** Lets the next calls of routes fail. */
  fail(route: RegExp, fault: Fault, times = 1): void {
    this.#planned.push({ route, fault, left: times })
  }

  forgive(): void {
    this.#planned = []
  }

  #faultFor(name: string): Fault | undefined {
    const planned = this.#planned.find(({ route, left }) => left > 0 && route.test(name))
    if (!planned) return undefined
    planned.left--
    return planned.fault
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    } catch {
      return
    }
    this.calls++
    const url = new URL(request.url ?? '/', this.origin)
    const name = `${request.method} ${url.pathname}`
    const found = this.#matchers
      .map((matcher) => ({ matcher, match: matcher.pattern.exec(url.pathname) }))
      .find(({ matcher, match }) => match && matcher.method === request.method)
    const note = (what: unknown): void => {
      this.transcript.push(`${name}${url.search} ${Buffer.concat(chunks).toString().slice(0, 200)} -> ${String(what)}`)
      if (this.transcript.length > MAX_TRANSCRIPT) this.transcript.shift()
    }
    if (!found?.match) {
      this.violations.push(`${name} does not exist`)
      return reply(response, { status: 404, body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } })
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const call: StrictCall = {
      method: request.method ?? '',
      path: url.pathname,
      params: Object.fromEntries(
        found.matcher.names.map((key, index) => [key, decodeURIComponent(found.match?.[index + 1] ?? '')]),
      ),
      query: url.searchParams,
      token,
      type: request.headers['content-type'] ?? '',
      bytes: Buffer.concat(chunks),
      body: undefined,
      gone: new Promise((resolve) => response.on('close', resolve)),
    }
    const answer = await this.#answer(found.matcher.definition, call, this.#faultFor(name), name)
    note(answer === undefined ? 'no answer' : (answer.status ?? 200))
    if (answer === undefined) return void request.socket.destroy()
    reply(response, answer)
  }

  /** Returns the answer, or undefined where the connection closes without. */
  async #answer(
    definition: StrictRoute,
    given: StrictCall,
    fault: Fault | undefined,
    name: string,
  ): Promise<StrictAnswer | undefined> {
    if (fault === 'cut') return undefined
    if (fault === 'silence') {
      await given.gone
      return undefined
    }
    if (typeof fault === 'object') return fault
    const refusal = definition.isOpen ? undefined : this.#isToken(given.token)
    if (refusal) return refusal
    if (definition.isOpen && given.token !== undefined) this.violations.push(`${name} is called with a token`)
    for (const key of given.query.keys())
      if (!definition.query?.includes(key)) this.violations.push(`${name} has no parameter ${key}`)
    const call = { ...given, body: this.#bodyOf(definition, given, name) }
    const answer = await definition.handle(call)
    return fault === 'swallow' ? undefined : answer
  }

  #bodyOf({ body: schema, isRaw }: StrictRoute, { bytes, type }: StrictCall, name: string): unknown {
    if (isRaw) return undefined
    if (!schema) {
      if (bytes.length > 0) this.violations.push(`${name} takes no body`)
      return undefined
    }
    if (!type.startsWith('application/json')) this.violations.push(`${name} needs the type application/json`)
    let body: unknown
    try {
      body = JSON.parse(bytes.toString())
    } catch {
      this.violations.push(`${name} is no JSON`)
      return {}
    }
    for (const { path, message } of mistakesIn(schema, body)) this.violations.push(`${name}: ${path} ${message}`)
    return body
  }
}

function reply(response: ServerResponse, { status = 200, headers, body }: StrictAnswer): void {
  const isBytes = Buffer.isBuffer(body) || typeof body === 'string'
  response.writeHead(status, { ...(isBytes ? {} : { 'content-type': 'application/json' }), ...headers })
  response.end(isBytes ? body : JSON.stringify(body))
}
