import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type BaseContext,
  type Host,
  type LogRecord,
  type PluginEntry,
} from '@mynah/kernel'
import { startHost, TestClock } from '@mynah/kernel/testing'
import { tools, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import cron from '@mynah/plugin-cron'
import { jobAction, jobActions, Jobs, type JobCall } from '@mynah/plugin-cron/api'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import assistant from '../index.js'

export const TOKEN = 'a-token-for-the-tests-of-assistant'
export const EVENT_TOKEN = 'a-token-that-opens-events-only'

export interface Options {
  readonly config?: Record<string, unknown>
  readonly data?: string
  readonly database?: boolean
  /** The agent's action. */
  readonly agent?: (prompt: string, call: JobCall) => Promise<string> | string
  readonly setup?: (ctx: BaseContext<unknown>) => void
  readonly plugins?: readonly AnyPlugin[]
  /** Further plugins with their configuration, which may name the folder of the data. */
  readonly entries?: (data: string) => readonly PluginEntry[]
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(2)
}

export class Rig {
  readonly clock = new TestClock()
  readonly calls: (JobCall & { readonly prompt: string })[] = []
  host!: Host
  log: LogRecord[] = []
  data = ''
  #own = true
  #tools: () => readonly { readonly value: Tool }[] = () => []

  get jobs(): Jobs {
    return this.host.get(Jobs) as Jobs
  }
  get logged(): string {
    return this.log.map(({ message }) => message).join('\n')
  }

  async start(options: Options = {}): Promise<this> {
    this.#own = options.data === undefined
    this.data = options.data ?? (await mkdtemp(join(tmpdir(), 'mynah-assistant-')))
    const helper = definePlugin({
      name: 'helper',
      setup: (ctx) => {
        const reader = ctx.read(tools)
        this.#tools = () => reader.all()
        ctx.contribute(
          jobActions,
          jobAction<'agent'>({
            kind: 'agent',
            run: async ({ prompt }, call) => {
              this.calls.push({ ...call, prompt })
              return { text: (await options.agent?.(prompt, call)) ?? `done: ${prompt}` }
            },
          }),
        )
        options.setup?.(ctx as BaseContext<unknown>)
      },
    })
    const entries = [
      { plugin: httpCore, config: { port: 0, token: TOKEN } },
      { plugin: consoleRpc },
      { plugin: events },
      ...(options.database === false ? [] : [{ plugin: database }]),
      { plugin: helper },
      { plugin: cron, config: {} },
      { plugin: assistant, config: options.config ?? {} },
      ...(options.plugins ?? []).map((plugin) => ({ plugin })),
      ...(options.entries?.(this.data) ?? []),
    ] as unknown as { plugin: AnyPlugin }[]
    const { host, log } = await startHost(entries, {
      clock: this.clock,
      services: [[HostPaths, { root: this.data, data: this.data }]] as never,
    })
    this.host = host
    this.log = log
    return this
  }

  async ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    token: string | null = TOKEN,
  ): Promise<{
    readonly status: number
    readonly headers: Headers
    readonly body: Record<string, never> & { data: Record<string, never>; error: string; code: string }
  }> {
    const response = await fetch(`${this.host.get(Http)?.origin}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }

  event(body: unknown, token: string | null = TOKEN) {
    return this.ask('POST', '/assistant/events', body, token)
  }

  tool(name: string): Tool | undefined {
    return this.#tools().find(({ value }) => value.name === name)?.value
  }

  /** Calls a tool as the agent would. */
  async use(name: string, input: Record<string, unknown>, more: Partial<ToolCall> = {}): Promise<string> {
    const call: ToolCall = {
      roles: new Set(['master']),
      origin: { adapter: 'test', endpoint: 'one', channel: { type: 'private', id: 'owner' }, user: 'owner' },
      session: 's',
      turn: 't',
      id: 'c',
      signal: new AbortController().signal,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      progress() {},
      wait: (_kind, _id, done) => done(new AbortController().signal),
      ask: () => Promise.reject(new Error('unavailable')),
      ...more,
    }
    const output = (await this.tool(name)?.run(input as never, call)) as
      | { content?: readonly { text: string }[] }
      | string
    if (typeof output === 'string') return output
    return output?.content ? `! ${output.content[0]?.text}` : JSON.stringify(output)
  }

  async stop(keep = false): Promise<void> {
    await this.host.stop()
    if (!keep && this.#own) await rm(this.data, { recursive: true, force: true })
  }
}

/** Starts rigs that are stopped after each test. */
export function eachTest(): { start(options?: Options): Promise<Rig> } {
  const running: Rig[] = []
  afterEach(async () => {
    for (const rig of running.splice(0)) await rig.stop()
  })
  return {
    async start(options = {}) {
      const rig = await new Rig().start(options)
      running.push(rig)
      return rig
    },
  }
}

export interface HomeServer {
  readonly url: string
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly token: string | undefined
    readonly body: unknown
  }[]
  close(): Promise<void>
}

/** Starts a server that answers like Home Assistant, or as the script does. */
export async function startHome(
  states: Record<string, { state: string; attributes?: Record<string, unknown> }>,
  script?: (path: string, response: ServerResponse) => boolean,
): Promise<HomeServer> {
  const asked: { method: string; path: string; token: string | undefined; body: unknown }[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    asked.push({
      method: request.method ?? '',
      path,
      token: request.headers.authorization,
      body: text ? JSON.parse(text) : undefined,
    })
    if (script?.(path, response)) return
    response.setHeader('content-type', 'application/json')
    const state = states[decodeURIComponent(path.replace('/api/states/', ''))]
    if (request.headers.authorization !== 'Bearer home-token') response.writeHead(401).end('401: Unauthorized')
    else if (path.startsWith('/api/services/')) response.end('[]')
    else if (state)
      response.end(
        JSON.stringify({ ...state, attributes: state.attributes ?? {}, last_changed: '2026-01-01T00:00:00Z' }),
      )
    else response.writeHead(404).end('{"message":"Entity not found."}')
  }
  const server: Server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
