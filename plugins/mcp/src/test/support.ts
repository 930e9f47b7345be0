import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRequire } from 'node:module'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type Host,
  type LogRecord,
  type PluginEntry,
  type Reader,
} from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import { tools, type Tool, type ToolCall, type ToolResult } from '@mynah/plugin-ai/api'
import { publish, type Publication } from '@mynah/plugin-events/api'
import { McpServers, type McpServerView } from '../api.js'
import type { ServerConfig } from '../config.js'
import mcp from '../index.js'

export { until }

const require = createRequire(import.meta.url)

/** Returns a server of the test's own; see odd-server.ts. */
export function odd(manner: object = {}, more: Partial<ServerConfig> = {}): ServerConfig {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('odd-server.js', import.meta.url)), JSON.stringify(manner)],
    ...more,
  }
}

/** Returns the script of a published server. */
export function published(name: 'everything' | 'filesystem' | 'memory'): string {
  return require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)
}

/** Returns whether a process is there. */
export function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export interface RigOptions {
  readonly plugins?: readonly (AnyPlugin | PluginEntry)[]
  readonly data?: string
}

export class Rig {
  readonly clock = new TestClock()
  readonly events: Publication[] = []
  host!: Host
  log: readonly LogRecord[] = []
  data = ''
  #tools!: Reader<Tool>
  #entries!: (servers: Readonly<Record<string, ServerConfig>>) => PluginEntry[]

  async start(servers: Readonly<Record<string, ServerConfig>>, { plugins = [], data }: RigOptions = {}): Promise<this> {
    this.data = data ?? (await mkdtemp(join(tmpdir(), 'mynah-mcp-')))
    const probe = definePlugin({
      name: 'probe',
      setup: (ctx) => {
        this.#tools = ctx.read(tools)
        ctx.on(publish, (publication) => {
          this.events.push(publication)
        })
      },
    })
    const others = [probe as unknown as AnyPlugin, ...plugins].map((plugin): PluginEntry =>
      'plugin' in plugin ? plugin : { plugin },
    )
    this.#entries = (wanted) => [
      ...others,
      { plugin: mcp as unknown as AnyPlugin, config: { 'ai.mcpServers': wanted } },
    ]
    const { host, log } = await startHost(this.#entries(servers), {
      clock: this.clock,
      services: [[HostPaths, { root: this.data, data: this.data }]] as never,
    })
    this.host = host
    this.log = log
    return this
  }

  get servers(): McpServers {
    return this.host.get(McpServers) as McpServers
  }
  server(name: string): McpServerView {
    return this.servers.list().find((server) => server.name === name) as McpServerView
  }
  /** Names of the tools that a model may call. */
  get tools(): string[] {
    return this.#tools
      .all()
      .map(({ key }) => key)
      .sort()
  }
  tool(name: string): Tool {
    return this.#tools.get(name)?.value as Tool
  }
  connected(name: string): Promise<void> {
    return until(() => this.server(name).connected)
  }
  async text(server: string, tool: string, input: Record<string, unknown> = {}): Promise<string> {
    return (await this.servers.call(server, tool, input)).text
  }

  /** Runs a tool as the agent does. */
  async run(
    name: string,
    input: object,
    signal: ToolCall['signal'] = new AbortController().signal,
  ): Promise<ToolResult> {
    const call = {
      signal,
      progress: (text: string) => {
        this.progress.push(text)
      },
    } as unknown as ToolCall
    return (await this.tool(name).run(input as never, call)) as ToolResult
  }
  readonly progress: string[] = []

  /** Lets a second pass, and then what is due at once, until `condition` holds. */
  async passes(condition: () => boolean): Promise<void> {
    await this.clock.advance(1_000)
    await until(async () => {
      await this.clock.advance(0)
      return condition()
    })
  }

  /** Takes the servers of another configuration. */
  async configure(servers: Readonly<Record<string, ServerConfig>>): Promise<void> {
    await this.host.configure(this.#entries(servers))
  }

  async stop(keep = false): Promise<void> {
    await this.host.stop()
    if (!keep) await rm(this.data, { recursive: true, force: true })
  }
}

/** Rigs of one test, stopped after it. */
export function eachTest(): {
  start(servers: Readonly<Record<string, ServerConfig>>, options?: RigOptions): Promise<Rig>
} {
  const running: Rig[] = []
  afterEach(async () => {
    for (const rig of running.splice(0)) await rig.stop()
  })
  return {
    async start(servers, options) {
      const rig = await new Rig().start(servers, options)
      running.push(rig)
      return rig
    },
  }
}

/** Returns the error that a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('This should have failed')
    },
    (error: unknown) => error as Error,
  )
}
