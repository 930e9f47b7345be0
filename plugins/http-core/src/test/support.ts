import { connect } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import {
  createHost,
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type Clock,
  type Host,
  type LogRecord,
} from '@mynah/kernel'
import { Http, route, routes, type Route } from '../api.js'
import httpCore from '../index.js'

export const TOKEN = 'owner-token-2f9c41'
export const DEMO = 'demo-token-77aa20'
export const CONSOLE = 'http://localhost:5173'

const Text = Type.Object({ text: Type.String() })

/** Operations that the tests call. */
export const sample = contract({
  rest: {
    'GET /things': { summary: 'Plain', data: Text },
    'GET /things/:name': {
      summary: 'With a parameter',
      params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
      data: Text,
    },
    'GET /look': { summary: 'For demo tokens', data: Text, scope: 'demo' },
    'GET /search': {
      summary: 'With a query',
      data: Type.Unknown(),
      query: Type.Object({
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 1 })),
        flag: Type.Optional(Type.Boolean()),
        text: Type.Optional(Type.String({ maxLength: 32 })),
      }),
    },
    'POST /echo': {
      summary: 'Gives back what it got',
      body: Type.Object({ value: Type.Unknown() }),
      data: Type.Unknown(),
    },
    'DELETE /things': { summary: 'Needs no body', data: Text },
    'PUT /things': { summary: 'Another method', body: Text, data: Text, status: 201 },
    'GET /broken': { summary: 'Throws', data: Text },
    'GET /leaky': { summary: 'Gives more than it declares', data: Text },
    'GET /open': { summary: 'Streams until its signal aborts', raw: 'text/event-stream; charset=utf-8', scope: 'demo' },
    'GET /pub/file/*path': {
      summary: 'A rest of a path',
      params: Type.Object({ path: Type.String() }),
      data: Text,
      scope: 'public',
    },
    'GET /pub/hello': { summary: 'Public', reply: Text, scope: 'public' },
    'POST /hooks/webhook/:id': {
      summary: 'Signed elsewhere',
      params: Type.Object({ id: Type.String() }),
      raw: 'text/plain; charset=utf-8',
      scope: 'webhook',
    },
    'POST /api/webhook/below': {
      summary: 'Signed elsewhere, below the prefix',
      raw: 'text/plain; charset=utf-8',
      scope: 'webhook',
    },
  },
})

/** Reasons that ended streams, and the number of open ones. */
class Streams {
  open = 0
  #waiting: { count: number; resolve: () => void }[] = []

  change(by: number): void {
    this.open += by
    this.#waiting = this.#waiting.filter(({ count, resolve }) => (this.open === count ? (resolve(), false) : true))
  }

  reach(count: number): Promise<void> {
    return this.open === count ? Promise.resolve() : new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }
}

/** Returns a plugin that binds {@link sample}. */
function samplePlugin(streams = new Streams()): AnyPlugin {
  const { rest } = sample
  return definePlugin({
    name: 'sample',
    setup(ctx) {
      const add = (bound: Route): unknown => ctx.contribute(routes, bound)
      add(route(rest, 'GET /things', () => ({ text: 'all' })))
      add(route(rest, 'GET /things/:name', ({ params }) => ({ text: params.name })))
      add(route(rest, 'GET /look', (_, { principal }) => ({ text: principal.name })))
      add(route(rest, 'GET /search', ({ query }) => query))
      add(route(rest, 'POST /echo', ({ body }) => body.value))
      add(route(rest, 'DELETE /things', (_, { address }) => ({ text: address })))
      add(route(rest, 'PUT /things', ({ body }) => body))
      add(
        route(rest, 'GET /broken', () => {
          throw new Error('secret cause at /etc/passwd')
        }),
      )
      add(route(rest, 'GET /leaky', () => ({ text: 'shown', password: 'hidden' })))
      add(route(rest, 'GET /pub/file/*path', ({ params }) => ({ text: params.path })))
      add(route(rest, 'GET /pub/hello', () => ({ text: 'hello' })))
      add(
        route(rest, 'GET /open', (_, { response, signal }) => {
          response.writeHead(200)
          response.write(': open\n\n')
          streams.change(1)
          signal.addEventListener('abort', () => {
            streams.change(-1)
            response.end()
          })
        }),
      )
      add(
        route(
          rest,
          'POST /hooks/webhook/:id',
          async ({ params }, call) =>
            void call.response.end(`${params.id} ${call.principal.name} ${(await call.body()).toString('hex')}`),
        ),
      )
      add(route(rest, 'POST /api/webhook/below', (_, { response }) => void response.end('below')))
    },
  }) as unknown as AnyPlugin
}

export interface Served {
  readonly host: Host
  readonly origin: string
  readonly port: number
  readonly log: LogRecord[]
  readonly streams: Streams
  readonly data: string
  /** Sends a request with the admin token by default. */
  fetch(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>
  stop(): Promise<void>
}

const running = new Set<Served>()

/** Starts a host with the server and the sample routes. */
export async function serve(
  config: Record<string, unknown> = {},
  options: { plugins?: readonly AnyPlugin[]; clock?: Clock } = {},
): Promise<Served> {
  const log: LogRecord[] = []
  const streams = new Streams()
  const data = join(await mkdtemp(join(tmpdir(), 'http-core-')), 'data')
  const host = createHost(
    [
      {
        plugin: httpCore as unknown as AnyPlugin,
        config: {
          port: 0,
          token: TOKEN,
          tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }],
          corsOrigins: [CONSOLE],
          ...config,
        },
      },
      { plugin: samplePlugin(streams) },
      ...(options.plugins ?? []).map((plugin) => ({ plugin })),
    ],
    {
      log: (record) => void log.push(record),
      services: [[HostPaths, { root: join(data, '..'), data }]],
      ...(options.clock ? { clock: options.clock } : {}),
    },
  )
  await host.start()
  const { origin = '', address } = host.get(Http) ?? {}
  const served: Served = {
    host,
    origin,
    log,
    streams,
    data,
    port: address?.port ?? 0,
    fetch(path, { token = TOKEN, ...init } = {}) {
      const headers = new Headers(init.headers)
      if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
      if (typeof init.body === 'string' && !headers.has('content-type')) headers.set('content-type', 'application/json')
      return fetch(origin + path, { redirect: 'manual', ...init, headers })
    },
    async stop() {
      running.delete(served)
      await host.stop()
      await rm(join(data, '..'), { recursive: true, force: true })
    },
  }
  running.add(served)
  return served
}

/** Stops the hosts that a test has left running. */
export async function stopAll(): Promise<void> {
  await Promise.all(Array.from(running, (served) => served.stop()))
}

/** Sends raw bytes and returns the answer. The request has to end its connection. */
export function exchange(port: number, text: string): Promise<{ status: number; headers: string; body: string }> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [headers = '', body = ''] = answer.split(/\r\n\r\n(.*)/s)
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0), headers, body })
    })
  })
}

/** Sends a request whose target reaches the server exactly as spelled. */
export function ask(
  port: number,
  target: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: string; body: string }> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return exchange(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/** Sends a request to a server at this port and parses the answer as JSON. */
export async function json(response: Response): Promise<{
  success: boolean
  error?: string
  code?: string
  data?: unknown
  details?: { path: string; message: string }[]
  [field: string]: unknown
}> {
  return (await response.json()) as never
}
