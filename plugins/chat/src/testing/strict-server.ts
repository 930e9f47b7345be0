import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { mistakesIn } from '@mynah/contract/validate'

/** A request as a route of a {@link StrictServer} sees it. */
export interface StrictRequest {
  readonly method: string
  readonly path: string
  /** Values of the parts of the path that begin with a colon, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  /** JSON and forms as an object, a multipart form as a map of its fields, any other body as bytes. */
  readonly body: unknown
}

/** An answer of a {@link StrictServer}. A body that is no bytes is sent as JSON. */
export interface StrictAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** One method of a platform. */
export interface StrictRoute {
  /** JSON schemas. Keys that they do not name are a problem unless `additionalProperties` says otherwise. */
  readonly body?: object
  readonly query?: object
  /** Whether it needs no authorization. */
  readonly isPublic?: boolean
  /** Returns what is wrong with a request although it has the right shape, such as an empty message. */
  rule?(request: StrictRequest): string | undefined
  answer(request: StrictRequest): StrictAnswer | Promise<StrictAnswer>
}

/**
 * A fault of a server. An answer takes the place of the real one, and the request has no effect. With `lose` it takes
 * effect and the connection breaks, with `ignore` it takes effect and is never answered, and with `hang` it has no
 * effect and is never answered.
 */
export type StrictFault = StrictAnswer | 'lose' | 'ignore' | 'hang'

/** Options of {@link StrictServer.start}. */
export interface StrictServerOptions {
  /** Routes by method and path, such as `POST /channels/:channel/messages`. */
  readonly routes: Readonly<Record<string, StrictRoute>>
  /** Returns the refusal of a request whose authorization is wrong. */
  authorize?(request: StrictRequest): StrictAnswer | undefined
  /** Takes connections that are upgraded, such as WebSockets. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

interface ScriptedFault {
  readonly match: RegExp
  readonly fault: StrictFault
  left: number
}

interface KnownRoute {
  readonly method: string
  readonly parts: readonly string[]
  readonly route: StrictRoute
  readonly body: object | undefined
  readonly query: object | undefined
}

/** Longest request, in bytes. */
const MAX_BODY = 64 * 1024 * 1024
/** Requests of the transcript that a failure shows. */
const SHOWN = 20

/**
 * The HTTP server of a platform for tests of its adapter. It checks each request more strictly than the platform may: a
 * request that no route has, or whose shape is wrong, is refused and makes {@link check} throw.
 *
 * @example
 * const send = { body: Type.Object({ text: Type.String() }), answer: () => ({ body: { id: 1 } }) }
 * const server = await StrictServer.start({ routes: { 'POST /send': send } })
 * server.fault(/send/, { status: 429, headers: { 'retry-after': '90' } })
 */
export class StrictServer {
  /** Requests and their answers, one line each. */
  readonly transcript: string[] = []
  /** The mistakes in the requests. */
  readonly problems: string[] = []
  readonly #options: StrictServerOptions
  readonly #routes: readonly KnownRoute[]
  readonly #faults: ScriptedFault[] = []
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  private constructor(options: StrictServerOptions) {
    this.#options = options
    this.#routes = Object.entries(options.routes).map(([name, route]) => {
      const [method = '', path = ''] = name.split(' ')
      return { method, parts: path.split('/'), route, body: closed(route.body), query: closed(route.query) }
    })
  }

  static async start(options: StrictServerOptions): Promise<StrictServer> {
    const server = new StrictServer(options)
    await server.restart()
    return server
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Sockets that are open now. */
  get connections(): number {
    return this.#sockets.size
  }

  /** Lets the next requests whose method and path match meet a fault. */
  fault(match: RegExp, fault: StrictFault, times = 1): void {
    this.#faults.push({ match, fault, left: times })
  }

  /** Ends the server at once, with all its connections. */
  async kill(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Starts the server again at the same address. */
  async restart(): Promise<void> {
    const server = createServer((request, response) => {
      this.#take(request, response).catch((error: unknown) => {
        this.problems.push(`the server failed: ${String(error)}`)
        response.destroy()
      })
    })
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    const { upgrade } = this.#options
    if (upgrade) server.on('upgrade', upgrade)
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Ends the server, and throws if a request was wrong. */
  async stop(): Promise<void> {
    await this.kill()
    this.check()
  }

  /** @throws AssertionError with the end of the transcript, if a request was wrong */
  check(): void {
    if (this.problems.length === 0) return
    assert.fail(`${this.problems.join('\n')}\nThe last requests:\n${this.transcript.slice(-SHOWN).join('\n')}`)
  }

  /** Notes a problem that the server of a platform has found by itself, such as a wrong frame. */
  report(problem: string): void {
    this.problems.push(problem)
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { request, problem } = await this.#read(incoming)
    const line = `${request.method} ${request.path}`
    const fault = this.#faultOf(line)
    if (typeof fault === 'object') return this.#send(response, line, fault)
    if (fault === 'hang') return void this.transcript.push(`${line} → never answered`)
    const answer = problem === undefined ? await this.#answer(request) : this.#refuse(line, problem)
    if (fault === 'ignore') return void this.transcript.push(`${line} → taken, never answered`)
    if (fault === 'lose') {
      this.transcript.push(`${line} → taken, connection lost`)
      return void response.destroy()
    }
    this.#send(response, line, answer)
  }

  async #read(incoming: IncomingMessage): Promise<{ request: StrictRequest; problem?: string }> {
    const url = new URL(incoming.url ?? '/', 'http://platform')
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= MAX_BODY) chunks.push(chunk)
    }
    const known = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      params: {},
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
    }
    if (size > MAX_BODY) return { request: { ...known, body: undefined }, problem: 'the body is too large' }
    try {
      return { request: { ...known, body: await parseBody(incoming.headers['content-type'], Buffer.concat(chunks)) } }
    } catch (error) {
      return { request: { ...known, body: undefined }, problem: `the body cannot be read: ${String(error)}` }
    }
  }

  async #answer(request: StrictRequest): Promise<StrictAnswer> {
    const line = `${request.method} ${request.path}`
    const found = this.#find(request)
    if (!found) return this.#refuse(line, 'the platform has no such method', 404)
    const { route, params, body, query } = found
    const asked = { ...request, params }
    const denied = route.isPublic ? undefined : this.#options.authorize?.(asked)
    if (denied) return denied
    const wrong = [
      ...mistakes('query', query, request.query),
      ...mistakes('body', body, request.body),
      ...[route.rule?.(asked)].filter((rule) => rule !== undefined),
    ]
    return wrong.length > 0 ? this.#refuse(line, wrong.join('; ')) : route.answer(asked)
  }

  #find({ method, path }: StrictRequest): (KnownRoute & { readonly params: Record<string, string> }) | undefined {
    const asked = path.split('/')
    for (const known of this.#routes) {
      const { parts } = known
      if (known.method !== method || parts.length !== asked.length) continue
      const params: Record<string, string> = {}
      const isSame = parts.every((part, index) => {
        const value = asked[index] ?? ''
        if (!part.startsWith(':')) return part === value
        params[part.slice(1)] = decodeURIComponent(value)
        return value !== ''
      })
      if (isSame) return { ...known, params }
    }
    return undefined
  }

  #faultOf(line: string): StrictFault | undefined {
    const scripted = this.#faults.find(({ match, left }) => left > 0 && match.test(line))
    if (scripted) scripted.left--
    return scripted?.fault
  }

  #refuse(line: string, problem: string, status = 400): StrictAnswer {
    this.problems.push(`${line}: ${problem}`)
    return { status, body: { error: problem } }
  }

  #send(response: ServerResponse, line: string, { status = 200, headers = {}, body }: StrictAnswer): void {
    this.transcript.push(`${line} → ${status}`)
    const isRaw = body === undefined || body instanceof Uint8Array || typeof body === 'string'
    response.writeHead(status, { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers })
    response.end(isRaw ? body : JSON.stringify(body))
  }
}

async function parseBody(type: string | undefined, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  if (type?.includes('json')) return JSON.parse(bytes.toString('utf8'))
  if (type?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  if (type?.startsWith('multipart/form-data'))
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return bytes
}

/** Returns a schema that refuses keys it does not name. */
function closed(schema: object | undefined): object | undefined {
  return schema && !('additionalProperties' in schema) ? { ...schema, additionalProperties: false } : schema
}

function mistakes(part: string, schema: object | undefined, value: unknown): string[] {
  if (!schema) return []
  return mistakesIn(schema, value).map(({ path, message }) => `${part}.${path} ${message}`)
}
