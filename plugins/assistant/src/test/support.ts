import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnyPlugin, BaseContext, PluginEntry } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { tools, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import cron from '@mynah/plugin-cron'
import { JobHost, stopAfterEach, until, type JobHostOptions } from '@mynah/plugin-cron/testing'
import { Http } from '@mynah/plugin-http-core/api'
import assistant from '../index.js'

export { until }
export const TOKEN = 'a-token-for-the-tests-of-assistant'
export const EVENT_TOKEN = 'a-token-that-opens-events-only'

export interface Options extends JobHostOptions {
  readonly config?: Record<string, unknown>
  readonly plugins?: readonly AnyPlugin[]
  /** Further plugins with their configuration, which may name the folder of the data. */
  readonly entries?: (data: string) => readonly PluginEntry[]
}

export class Rig extends JobHost {
  #tools: () => readonly { readonly value: Tool }[] = () => []

  constructor() {
    super(new TestClock(), TOKEN)
  }

  get logged(): string {
    return this.log.map(({ message }) => message).join('\n')
  }

  async start(options: Options = {}): Promise<this> {
    const setup = (ctx: BaseContext<unknown>): void => {
      const reader = ctx.read(tools)
      this.#tools = () => reader.all()
      options.setup?.(ctx)
    }
    await this.startHost({ ...options, setup }, (data) => [
      { plugin: cron, config: {} },
      { plugin: assistant, config: options.config ?? {} },
      ...(options.plugins ?? []).map((plugin) => ({ plugin })),
      ...(options.entries?.(data) ?? []),
    ])
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
}

/** Starts rigs that are stopped after each test. */
export function eachTest(): { start(options?: Options): Promise<Rig> } {
  const start = stopAfterEach((options: Options) => new Rig().start(options))
  return { start: (options = {}) => start(options) }
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
