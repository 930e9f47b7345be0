// A small HTTP server whose answers a test chooses, for what a real host never or seldom does.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}
export type Answer = (response: ServerResponse, seen: Seen) => void

/** Answers `/pub/health` by itself, and 404 to paths without a handler. */
export class TestHost {
  readonly requests: Seen[] = []
  readonly #answers = new Map<string, Answer>()
  #server: Server | undefined
  #port = 0
  /** The page that may ask from another origin. */
  allowed: string | undefined

  constructor(prefix = '/api') {
    this.health({ apiPrefix: prefix })
  }

  get base(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  health(fields: Record<string, unknown>, status = 200): void {
    this.on(
      'GET /pub/health',
      json(
        { status: 'ok', uptime: 1, version: '0.1.0', name: 'mynah', apiPrefix: '/api', contract: '1.0', ...fields },
        status,
      ),
    )
  }

  /** Sets the answer to `'<METHOD> <path>'`, the query left aside. */
  on(address: string, answer: Answer): this {
    this.#answers.set(address, answer)
    return this
  }

  /** Listens, after a stop on the port it had. */
  async start(): Promise<this> {
    const server = (this.#server = createServer((request, response) => void this.#serve(request, response)))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const seen: Seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined,
    }
    if (this.allowed) response.setHeader('access-control-allow-origin', this.allowed)
    if (seen.method === 'OPTIONS') {
      response
        .writeHead(204, {
          'access-control-allow-headers': 'authorization, content-type, last-event-id',
          'access-control-allow-methods': 'GET, POST, DELETE',
        })
        .end()
      return
    }
    this.requests.push(seen)
    const answer = this.#answers.get(`${seen.method} ${seen.url.split('?', 1)[0]}`)
    if (answer) answer(response, seen)
    else json({ success: false, error: `No ${seen.url}`, code: 'not_found' }, 404)(response, seen)
  }

  /** Requests to a path. */
  to(path: string): Seen[] {
    return this.requests.filter(({ url }) => url.split('?', 1)[0] === path)
  }

  /** Cuts every connection and stops to listen. */
  async stop(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body))
  }

export const ok = (data: unknown): Answer => json({ success: true, data })

export const text =
  (body: string, type: string, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** Returns the address of a closed port. */
export async function deadBase(): Promise<string> {
  const host = await new TestHost().start()
  await host.stop()
  return host.base
}
