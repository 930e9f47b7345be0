// A real host with the server, the RPC and a plugin of sample methods.
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { createHost, definePlugin, type AnyPlugin, type Host, type LogRecord } from '@mynah/kernel'
import { declare, streamEvents } from '@mynah/plugin-events/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { method, rpcMethods } from '../api.js'
import consoleRpc from '../index.js'

export const TOKEN = 'owner-token-2f9c41'
export const DEMO = 'demo-token-77aa20'

const sample = contract({
  rpc: {
    'sample:flat': {
      summary: 'Parameters at the top',
      params: Type.Object({
        text: Type.String({ maxLength: 8 }),
        data: Type.Optional(Type.Unknown()),
        limit: Type.Optional(Type.Integer({ minimum: 1, default: 5 })),
      }),
      data: Type.Unknown(),
    },
    'sample:nested': {
      summary: 'Parameters in data',
      nested: true,
      params: Type.Object({ id: Type.String() }),
      data: Type.Unknown(),
      scope: 'demo',
    },
    'sample:reduced': { summary: 'Gives more than it declares', data: Type.Object({ shown: Type.Integer() }) },
    'sample:nothing': { summary: 'Gives nothing', data: Type.Null() },
    'sample:fails': { summary: 'Fails as requested', params: Type.Object({ how: Type.String() }), data: Type.Null() },
    'sample:large': { summary: 'Takes much', params: Type.Object({ content: Type.String() }), data: Type.Integer() },
  },
  events: { 'sample:happened': { summary: 'Something happened', data: Type.Object({ what: Type.String() }) } },
})

const { rpc, events } = sample
const samplePlugin = definePlugin({
  name: 'sample',
  setup(ctx) {
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:flat', (params, { principal }) => ({ params, by: principal.name })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:nested', (params) => params),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:reduced', () => ({ shown: 1, hidden: 2 })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:nothing', () => null),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:large', ({ content }) => content.length),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'sample:fails', ({ how }, { log }) => {
        log.info('about to fail')
        if (how === 'not_ready') throw new WireError('not_ready', 'The model sleeps', { data: { since: 1 } })
        if (how === 'forbidden') throw new WireError('forbidden', 'Not this file')
        if (how === 'conflict')
          throw new WireError('conflict', 'Changed meanwhile', { details: [{ path: 'etag', message: 'is old' }] })
        throw new Error(`secret cause in ${import.meta.url}`)
      }),
    )
    ctx.contribute(streamEvents, declare(events, 'sample:happened'))
  },
}) as unknown as AnyPlugin

interface Answer {
  success: boolean
  data?: unknown
  error?: string
  code?: string
  requestId?: unknown
  details?: { path: string; message: string }[]
}
export interface Served {
  readonly host: Host
  readonly origin: string
  readonly log: LogRecord[]
  call(request: unknown, token?: string | null): Promise<{ status: number; answer: Answer }>
  stop(): Promise<void>
}

export async function serve(): Promise<Served> {
  const log: LogRecord[] = []
  const host = await createHost(
    [
      {
        plugin: httpCore as unknown as AnyPlugin,
        config: { port: 0, token: TOKEN, tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }] },
      },
      { plugin: consoleRpc as unknown as AnyPlugin },
      { plugin: samplePlugin },
    ],
    { log: (record) => void log.push(record) },
  ).start()
  const origin = host.get(Http)?.origin ?? ''
  return {
    host,
    origin,
    log,
    async call(request, token = TOKEN) {
      const response = await fetch(`${origin}/api/console/request`, {
        method: 'POST',
        body: typeof request === 'string' ? request : JSON.stringify(request),
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
      })
      return { status: response.status, answer: (await response.json()) as Answer }
    },
    stop: () => host.stop(),
  }
}
