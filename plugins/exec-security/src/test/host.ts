// A whole host for tests: HTTP, chat with the sandbox, and a user of that platform who talks and reads.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostPaths, type Clock, type LogRecord, type PluginEntry } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/database-api'
import events from '@mynah/plugin-events'
import inbox from '@mynah/plugin-inbox'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import sandbox from '@mynah/plugin-adapter-sandbox'
import { Approvals, ExecSecurity, type ExecOrigin } from '../api.js'
import execSecurity from '../index.js'

export { until }

const TOKEN = 'full-token-of-the-exec-tests'
const DEMO = 'demo-token-of-the-exec-tests'

/** The owner of the endpoints `bot` and `second`. `orphan` has none. */
export const OWNER = 'ann'
export const ORIGIN: ExecOrigin = {
  adapter: 'sandbox',
  endpoint: 'bot',
  channel: { type: 'group', id: 'g1' },
  user: 'bob',
}

export interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data?: never
  readonly error?: string
  readonly code?: string
}
type Scene = { readonly type: 'private' | 'group'; readonly id: string }

export interface Running {
  readonly exec: ExecSecurity
  readonly approvals: Approvals
  /** Absent without a database. */
  readonly database: Database | undefined
  readonly origin: string
  readonly token: string
  readonly log: LogRecord[]
  readonly data: string
  readonly home: string
  /** The working folder of commands. */
  readonly work: string
  rpc(type: string, params?: Record<string, unknown>, token?: string): Promise<Reply>
  /** Says something and gives what the bot has said to it when all of that has ended. */
  tell(text: string, as?: { user?: string; endpoint?: string; channel?: Scene }): Promise<string>
  /** Says something and gives what the bot answers to it. */
  say(text: string, as?: { user?: string; endpoint?: string; channel?: Scene }): Promise<string>
  /** Returns the messages of the bot there so far. */
  heard(channel?: Scene, endpoint?: string): Promise<string[]>
  /** Opens the event stream. Its events are added to the text. */
  listen(demo?: boolean): Promise<{ text: string; close(): void }>
  /** Changes the section of the plugin while it runs. */
  configure(config: Record<string, unknown>): Promise<unknown>
  /** Stops the host and keeps its directory for another one. */
  halt(): Promise<void>
}

const stops = new Set<() => Promise<void>>()

/** Stops whatever a test has left running, and removes what it kept. */
export async function stopAll(): Promise<void> {
  for (const stop of stops) await stop()
  stops.clear()
}

export async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'exec-security-'))
  stops.add(() => rm(home, { recursive: true, force: true }))
  return home
}

export interface Setup {
  readonly config?: Record<string, unknown>
  readonly clock?: Clock
  readonly home?: string
  readonly database?: boolean | Record<string, unknown>
  readonly chat?: boolean
  /** Messages are kept in the database. */
  readonly keepsMessages?: boolean
  /** The section `commands` of chat. */
  readonly commands?: Record<string, unknown>
}

/** Returns the plugins of a host. */
function pluginsOf({
  config = {},
  database: durable = false,
  keepsMessages = false,
  chat: talks = true,
  commands = {},
}: Setup): PluginEntry[] {
  const endpoints = [
    { adapter: 'sandbox', id: 'bot', master: OWNER },
    { adapter: 'sandbox', id: 'second', master: [OWNER, 'eve'] },
    { adapter: 'sandbox', id: 'orphan' },
  ]
  return [
    {
      plugin: httpCore as never,
      config: { port: 0, token: TOKEN, tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }] },
    },
    { plugin: consoleRpc as never },
    { plugin: events as never },
    ...(durable ? [{ plugin: database as never, config: durable === true ? {} : durable }] : []),
    ...(keepsMessages ? [{ plugin: inbox as never }] : []),
    ...(talks ? [{ plugin: chat as never, config: { endpoints, commands } }, { plugin: sandbox as never }] : []),
    {
      plugin: execSecurity as never,
      config: {
        'ai.agent.execSecurity': 'allowlist',
        'ai.agent.execApprovalMode': 'ask',
        // The answers are then those of every level.
        'ai.agent.execUnwalled': 'text',
        ...config,
      },
    },
  ]
}

/** Starts a host whose policy asks for everything that is not read-only. */
export async function start(setup: Setup = {}): Promise<Running> {
  const { clock, home } = setup
  const root = home ?? (await newHome())
  const data = join(root, 'data')
  const work = join(root, 'workspace')
  await mkdir(work, { recursive: true })
  const { host, log } = await startHost(pluginsOf(setup), {
    services: [[HostPaths, { root, data }]],
    ...(clock ? { clock } : {}),
  })
  let stopped: Promise<void> | undefined
  const halt = (): Promise<void> => (stopped ??= host.stop().then(() => undefined))
  // Hosts stop before their directories go.
  const before = [...stops]
  stops.clear()
  for (const stop of [halt, ...before]) stops.add(stop)
  const exec = host.get(ExecSecurity)
  const approvals = host.get(Approvals)
  if (!exec || !approvals) throw new Error(`exec-security did not start: ${JSON.stringify(log.slice(-3))}`)
  const origin = host.get(Http)?.origin ?? ''

  const running: Running = {
    exec,
    approvals,
    database: host.get(Database),
    origin,
    token: TOKEN,
    log,
    data,
    home: root,
    work,
    halt,
    configure: (changed) => host.update('exec-security', changed),
    async rpc(type, params = {}, token = TOKEN) {
      const response = await fetch(`${origin}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...params, type }),
      })
      return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) }
    },
    async heard(channel = { type: 'private', id: OWNER }, endpoint = 'bot') {
      const { data: found, error } = await running.rpc('sandbox:history', { data: { endpointId: endpoint, channel } })
      if (!found) throw new Error(error)
      return (found as { messages: { direction: string; text: string }[] }).messages
        .filter(({ direction }) => direction === 'out')
        .map(({ text }) => text)
    },
    async say(text, { user = OWNER, endpoint = 'bot', channel = { type: 'private' as const, id: user } } = {}) {
      const count = (await running.heard(channel, endpoint)).length
      const { error } = await running.rpc('sandbox:send', {
        data: { endpointId: endpoint, channel, sender: { id: user, name: user }, content: text },
      })
      if (error !== undefined) throw new Error(error)
      await until(async () => (await running.heard(channel, endpoint)).length > count, `the bot answers ${text}`)
      return (await running.heard(channel, endpoint)).slice(count).join('\n')
    },
    async tell(text, { user = OWNER, endpoint = 'bot', channel = { type: 'private' as const, id: user } } = {}) {
      const count = (await running.heard(channel, endpoint)).length
      const { data, error } = await running.rpc('sandbox:send', {
        data: { endpointId: endpoint, channel, sender: { id: user, name: user }, content: text },
      })
      if (error !== undefined) throw new Error(error)
      const { messageId } = data as unknown as { messageId: string }
      await until(
        async () =>
          ((await running.rpc('chat:traces', { messageId })).data as unknown as { traces: { endedAt?: number }[] })
            .traces[0]?.endedAt !== undefined,
        `${text.slice(0, 50)} is handled`,
      )
      return (await running.heard(channel, endpoint)).slice(count).join('\n')
    },
    async listen(demo = false) {
      const asked = request(`${origin}/api/events`, {
        agent: false,
        headers: { authorization: `Bearer ${demo ? DEMO : TOKEN}` },
      })
      asked.end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      const client = { text: '', close: () => void response.destroy() }
      response.setEncoding('utf8').on('data', (chunk: string) => {
        client.text += chunk
      })
      response.on('error', () => {
        client.text += ''
      })
      await until(() => client.text.includes('init-data'), 'the stream is open')
      return client
    },
  }
  return running
}

export const demoToken = DEMO

/** The id of the one request that waits. */
export async function waitingId(running: Running): Promise<string> {
  const { data } = await running.rpc('exec:pending')
  const { pending } = data as unknown as { pending: { id: string }[] }
  if (pending.length !== 1) throw new Error(`${pending.length} requests wait`)
  return (pending[0] as { id: string }).id
}

/** How a promise ends: its value, or the code of its error. */
export const ending = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: Error & { code?: string }) => error.code ?? error.message)
