// A small real server that speaks the wire of a host, to bring the console into states that a healthy host does not
// have.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import { STREAM_HEARTBEAT_MS } from '@mynah/contract/wire'
import type { ConsoleEntry } from '@mynah/contract/types'
import { EndpointRow, LogEntry, PluginDetail, PluginItem, Ready, Stats, SystemStatus } from '@mynah/contract'
import { volumeOf } from './log-volume.js'
import { completeAnswers, exampleOf, type DeepPartial } from './schema-example.js'

export const TOKEN = 'stand-in-token'

/** The answer of a call: a value, a status with an error, or nothing ever. */
export type Answer =
  | { readonly data: unknown }
  | {
      readonly status: number
      readonly error: string
      readonly code?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'silence'
  | ((params: Readonly<Record<string, unknown>>) => Answer)

const examplePlugins: readonly DeepPartial<PluginItem>[] = [
  {
    name: 'chat',
    status: 'active',
    description: 'Messages, commands and adapters',
    features: [
      { name: 'commands', count: 2, items: [{ name: 'help', description: 'Lists commands' }, { name: 'echo' }] },
      { name: 'adapters', count: 1, items: [{ name: 'sandbox' }] },
    ],
  },
  {
    name: 'http-core',
    status: 'active',
    description: 'HTTP server, authentication and OpenAPI',
    features: [{ name: 'routes', count: 31, items: [{ name: 'GET /stats' }] }],
  },
  {
    name: 'marketplace',
    status: 'inactive',
    description: 'Finds plugins in an npm registry',
    features: [],
    state: 'failed',
    error: 'marketplace.registry: must be an address',
  },
]

export const plugins: PluginItem[] = examplePlugins.map((plugin) => exampleOf(PluginItem, plugin))

const pluginDetail = (name: string): PluginDetail =>
  exampleOf(PluginDetail, {
    ...(plugins.find((plugin) => plugin.name === name) ?? {
      name,
      status: 'active' as const,
      description: '',
      features: [],
    }),
    filename: 'index.js',
    filePath: `@mynah/plugin-${name}`,
    version: '0.1.0',
    state: name === 'marketplace' ? 'failed' : 'active',
    contexts: [{ name: 'Chat', description: 'Sends and receives messages' }],
    waitingFor: [],
    provides: ['Chat'],
    requires: [],
    configKey: name,
    ...(name === 'marketplace' ? { error: 'marketplace.registry: must be an address' } : {}),
  })

const stats = exampleOf(Stats, {
  plugins: { total: 15, active: 14 },
  endpoints: { total: 4, online: 3 },
  commands: 87,
  components: 5,
  uptime: 533_520,
  memory: 182.4,
  runtime: 'node',
})
const system = exampleOf(SystemStatus, {
  uptime: 533_520,
  memory: { rss: 191_000_000, heapTotal: 92_000_000, heapUsed: 61_000_000, external: 3_000_000, arrayBuffers: 200_000 },
  osMemory: { freeMem: 4_100_000_000, totalMem: 16_400_000_000 },
  cpu: { user: 90_000_000, system: 12_000_000, percent: 3.4 },
  platform: 'linux',
  nodeVersion: 'v22.11.0',
  runtime: 'node',
  pid: 4711,
  timestamp: '2026-01-01T00:00:00.000Z',
})
const endpoints = [
  { name: '10001', adapter: 'sandbox', connected: true, status: 'online' },
  { name: 'libera', adapter: 'irc', connected: true, status: 'online' },
  { name: 'mail', adapter: 'telegram', connected: false, status: 'offline' },
] as const
const now = Date.now()
const rows = endpoints.map(({ name, adapter, connected, status }, index) =>
  exampleOf(EndpointRow, {
    name,
    adapter,
    connected,
    status,
    capabilities: [],
    unread: { messages: index * 2, requests: 0, notices: 0 },
    since: now - 43_260_000,
    ...(status === 'offline' ? { error: 'No connection within 20 s: is there TLS at this port?' } : {}),
  }),
)
const hour = (most: number, phase: number): number[] =>
  Array.from({ length: 60 }, (_, index) => Math.max(0, Math.round(most * (0.5 + 0.5 * Math.sin(index / 5 + phase)))))
/** Letters of the last hour for endpoints that are online, by index. */
const onlineHours: readonly (string | undefined)[] = [undefined, `${'o'.repeat(30)}xxxxpp${'o'.repeat(24)}`]
const activity = {
  from: now - 3_600_000,
  step: 60_000,
  answers: { count: 212, medianMs: 1_900 },
  endpoints: rows.map(({ adapter, name, status }, index) => ({
    adapter,
    endpointId: name,
    received: status === 'offline' ? Array<number>(60).fill(0) : hour(12 + index * 6, index),
    sent: status === 'offline' ? Array<number>(60).fill(0) : hour(4, index),
    failed: hour(0, 0),
    status: status === 'offline' ? 'x'.repeat(60) : (onlineHours[index] ?? 'o'.repeat(60)),
  })),
}
const line = (id: string, level: LogEntry['level'], name: string, message: string, minutes: number): LogEntry =>
  exampleOf(LogEntry, {
    id,
    level,
    name,
    message,
    source: name,
    timestamp: new Date(now - minutes * 60_000).toISOString(),
  })
const logs = [
  line('3', 'error', 'adapter-irc', 'libera: The server has said nothing for 240 s', 41),
  line('2', 'warn', 'chat', 'The reply to #bots was cut at 2,000 characters', 44),
]
const traces = [
  {
    messageId: 'm1',
    endpointId: 'libera',
    adapter: 'irc',
    channel: { type: 'group', id: '#bots' },
    sender: { id: 'bob', name: 'Bob' },
    text: '/weather Oslo',
    startedAt: now - 60_000,
    durationMs: 900,
    endedAt: now - 59_100,
    steps: [],
    replies: 1,
  },
]
const cron = {
  memory: [
    { id: 'updates', plugin: 'marketplace', expression: '40 4 * * *', running: false, nextRun: now + 50_000_000 },
  ],
  persistent: [
    {
      id: 'digest',
      label: 'Nightly digest',
      cronExpression: '0 6 * * *',
      prompt: 'Sum up',
      enabled: true,
      notify: { channel: 'log' },
      createdAt: now,
      nextRun: now + 9_000_000,
      lastRun: now - 30_000_000,
      lastStatus: 'error',
      lastError: 'tool tickets_today: connect ECONNREFUSED, tried 3 times',
    },
  ],
}
const ready = exampleOf(Ready, {
  status: 'degraded',
  checks: {
    chat: { status: 'ok' },
    marketplace: { status: 'failed', reason: 'marketplace.registry: must be an address' },
  },
})
const schema = {
  type: 'object',
  required: ['prefix'],
  properties: {
    prefix: { type: 'string', default: '/', description: 'Begins a command' },
    limits: { type: 'object', properties: { length: { type: 'integer', default: 2000 } } },
  },
}

/** Answers of a host in good health, by call: `GET /stats`, or the type of an RPC method. */
export const healthy = (): Record<string, Answer> =>
  completeAnswers({
    'GET /stats': { data: stats },
    'GET /system/status': { data: system },
    'GET /endpoints': { data: endpoints },
    'GET /plugins': { data: plugins },
    'GET /marketplace/updates': { data: [] },
    'GET /ready': { data: ready },
    'schema:get': { data: schema },
    'schema:get-all': { data: { chat: schema } },
    'config:get': { data: { prefix: '!' } },
    'config:get-all': { data: { config: { chat: { prefix: '!' } }, aliases: { chat: 'chat' } } },
    'config:get-yaml': { data: { yaml: "chat:\n  prefix: '!'\n", pluginKeys: ['chat'], etag: 'e1' } },
    'config:installed': { data: { plugins: [] } },
    'config:versions': { data: { versions: [] } },
    'endpoint:list': { data: { endpoints: rows } },
    'models:list': { data: { providers: [] } },
    'exec:pending': { data: { pending: [], stored: true } },
    'agent:turns': { data: { turns: [] } },
    'chat:activity': { data: activity },
    'chat:traces': { data: { traces } },
    'cron:list': { data: cron },
    'agent:usage': {
      data: {
        days: [
          {
            date: '2026-01-01',
            provider: 'p',
            model: 'm',
            calls: 318,
            input: 412_806,
            cachedInput: 293_092,
            output: 38_140,
            cost: 0.84,
          },
        ],
      },
    },
    'GET /logs': { data: logs },
    'GET /logs/volume': { data: volumeOf(logs) },
    'system:restart': { data: { success: true, message: 'Restarting' } },
    ...Object.fromEntries(plugins.map(({ name }) => [`GET /plugins/${name}`, { data: pluginDetail(name) }])),
  })

export interface StandIn {
  readonly url: string
  /** May be changed while it runs. */
  answers: Record<string, Answer>
  entries: ConsoleEntry[]
  origins: string[] | '*'
  token: string
  prefix: string
  readonly calls: string[]
  /** Streams that are open now. */
  readonly streams: number
  push(type: string, data: unknown): void
  /** Ends all streams, as a restart does. */
  dropStreams(): void
  /** Stops answering, as a machine that is switched off; the answer brings it back at the same address. */
  down(): () => Promise<void>
  close(): Promise<void>
}

/** Starts one; modules of entries are served from `modules`, `<id>/client/…`. */
export async function standIn(options: { readonly modules?: string } = {}): Promise<StandIn> {
  const streams = new Set<ServerResponse>()
  let id = 0
  const frame = (type: string, data: unknown, withId: boolean): string =>
    `${withId ? `id: e.${++id}\n` : ''}data: ${JSON.stringify({ type, data, timestamp: Date.now() })}\n\n`

  const state: StandIn = {
    url: '',
    answers: healthy(),
    entries: [],
    origins: '*',
    token: TOKEN,
    prefix: '/api',
    calls: [],
    get streams() {
      return streams.size
    },
    push(type, data) {
      // A page whose stream begins again is sent the newest entries, as by a host.
      const { key, value } = (data ?? {}) as { readonly key?: string; readonly value?: unknown }
      if (type === 'sync' && key === 'entries') state.entries = value as ConsoleEntry[]
      for (const stream of streams) stream.write(frame(type, data, true))
    },
    dropStreams() {
      for (const stream of streams) stream.destroy()
      // They close later. A test that counts streams means those that are open.
      streams.clear()
    },
    down() {
      const { port } = server.address() as AddressInfo
      server.close()
      server.closeAllConnections()
      return () =>
        new Promise((resolve) => {
          server.listen(port, '127.0.0.1', resolve)
        })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  const send = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const give = (
    response: ServerResponse,
    call: string,
    extra: object = {},
    params: Readonly<Record<string, unknown>> = {},
  ): void => {
    state.calls.push(call)
    const found = state.answers[call]
    const answer = (typeof found === 'function' ? found(params) : found) ?? {
      status: 404,
      error: `Nothing is at ${call}`,
      code: 'not_found',
    }
    if (answer === 'silence' || typeof answer === 'function') return
    if ('data' in answer) send(response, 200, { success: true, data: answer.data, ...extra })
    else
      send(
        response,
        answer.status,
        { success: false, error: answer.error, code: answer.code ?? 'internal', ...extra },
        answer.headers,
      )
  }

  /** Marketplace answers are outside the prefix and take no token. */
  const givePublic = (response: ServerResponse, call: string): void => {
    state.calls.push(call)
    const answer = state.answers[call] ?? { status: 404, error: 'Not found', code: 'not_found' }
    if (answer === 'silence' || typeof answer === 'function') return
    if (!('data' in answer))
      return send(
        response,
        answer.status,
        { success: false, error: answer.error, code: answer.code ?? 'internal' },
        answer.headers,
      )
    send(
      response,
      200,
      Array.isArray(answer.data)
        ? { success: true, data: answer.data, total: answer.data.length, page: 1, size: 20 }
        : { success: true, data: answer.data },
    )
  }

  const allowOrigin = ({ headers: { origin } }: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('vary', 'Origin')
    if (origin === undefined || (state.origins !== '*' && !state.origins.includes(origin))) return
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-headers', 'authorization, content-type, last-event-id')
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    response.setHeader('access-control-expose-headers', 'retry-after')
  }

  const openStream = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      frame('sync', { key: 'entries', value: state.entries }, false) +
        frame('init-data', { timestamp: Date.now() }, false),
    )
    streams.add(response)
    // The client drops a stream that is silent for two intervals.
    const heartbeat = setInterval(() => response.write(':\n\n'), STREAM_HEARTBEAT_MS)
    response.on('close', () => {
      clearInterval(heartbeat)
      streams.delete(response)
    })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    allowOrigin(request, response)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (pathname === '/pub/health')
      return send(response, 200, {
        status: 'ok',
        uptime: 1,
        version: '0.1.0',
        name: 'mynah',
        apiPrefix: state.prefix,
        contract: '1.0',
      })
    if (pathname === '/entries') return send(response, 200, { entries: state.entries, runtimeEnvHint: 'production' })
    if (pathname.startsWith('/@dev/') && options.modules !== undefined)
      return serveModule(options.modules, pathname, response)
    const pub = /^\/pub\/marketplace\/(search|detail)(?:\/|$)/.exec(pathname)
    if (pub && request.method === 'GET') return givePublic(response, `marketplace:${pub[1]}`)
    if (!pathname.startsWith(state.prefix))
      return send(response, 404, { success: false, error: 'Not found', code: 'not_found' })
    if (request.headers.authorization !== `Bearer ${state.token}`)
      return send(response, 401, { success: false, error: 'The token is not valid', code: 'unauthorized' })
    const path = pathname.slice(state.prefix.length)
    if (path === '/events') return openStream(response)
    if (path === '/console/request') {
      const body = JSON.parse(await text(request)) as {
        type: string
        requestId: number
        data?: Record<string, unknown>
      }
      return give(
        response,
        body.type,
        { requestId: body.requestId },
        /^(?:endpoint|sandbox):/.test(body.type) ? (body.data ?? {}) : body,
      )
    }
    give(response, `${request.method} ${decodeURIComponent(path)}`, {}, Object.fromEntries(searchParams))
  }

  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  return state
}

async function serveModule(root: string, pathname: string, response: ServerResponse): Promise<void> {
  const file = normalize(join(root, pathname.slice('/@dev/'.length)))
  const content = file.startsWith(root) ? await readFile(file).catch(() => undefined) : undefined
  if (content === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': file.endsWith('.css') ? 'text/css' : 'text/javascript' }).end(content)
}
