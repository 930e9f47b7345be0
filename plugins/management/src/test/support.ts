// For the tests of management: a host with a real server, chat, and an adapter whose account goes on and off.
import type { Host, HostOptions, PluginEntry } from '@mynah/kernel'
import { definePlugin } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter, type OutboundMessage, type Target } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import management from '../index.js'

export { until }

const TOKEN = 'full-token-of-management-tests'
export const DEMO = 'demo-token-of-management-tests'

/** A message that the recording adapter has sent. */
export interface Sent {
  readonly target: Target
  readonly text: string
}

/** Returns an adapter whose account `up` connects and whose account `down` never does. */
export const postbox = (sent: Sent[]) =>
  definePlugin({
    name: 'adapter-postbox',
    setup(ctx) {
      ctx.contribute(
        adapters,
        defineAdapter({
          name: 'postbox',
          acknowledges: 'never',
          create: ({ id }) => ({
            async connect() {
              if (id === 'down') throw new Error('unreachable')
              return { id: `bot-${id}` }
            },
            async disconnect() {},
            async send(target: Target, message: OutboundMessage) {
              sent.push({ target, text: message.text })
              return { messageId: `m${sent.length}` }
            },
          }),
        }),
      )
    },
  })

const ENDPOINTS = {
  endpoints: [
    { adapter: 'postbox', id: 'up' },
    { adapter: 'postbox', id: 'down' },
  ],
}
export const chatEntry: PluginEntry = { plugin: chat as never, config: ENDPOINTS }

export interface Api {
  readonly host: Host
  readonly origin: string
  readonly log: { readonly level: string; readonly message: string }[]
  call(
    path: string,
    options?: { token?: string; body?: unknown },
  ): Promise<{
    status: number
    text: string
    body: Record<string, unknown> & { data: never; code?: string; error?: string }
  }>
}

export async function startManagement(
  plugins: readonly PluginEntry[] = [],
  options: Omit<HostOptions, 'log'> = {},
): Promise<Api> {
  const http = {
    plugin: httpCore,
    config: { port: 0, token: TOKEN, tokens: [{ token: DEMO, scope: 'demo', name: 'demo' }] },
  }
  const { host, log } = await startHost(
    [http, { plugin: events }, { plugin: consoleRpc }, { plugin: management }, ...plugins] as never,
    options,
  )
  const { origin } = host.get(Http) as { origin: string }
  return {
    host,
    log,
    origin,
    async call(path, { token = TOKEN, body } = {}) {
      const answer = await fetch(`${origin}/api${path}`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, text, body: text.startsWith('{') ? (JSON.parse(text) as never) : ({} as never) }
    },
  }
}
