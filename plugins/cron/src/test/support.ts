import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { definePlugin, HostPaths, type AnyPlugin, type BaseContext, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, TestClock } from '@mynah/kernel/testing'
import type { JobRun } from '@mynah/contract/types'
import chat from '@mynah/plugin-chat'
import {
  adapters,
  Chat,
  defineAdapter,
  type Bot,
  type EndpointHandle,
  type OutboundMessage,
  type Target,
} from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import { jobAction, jobActions, jobHandlers, Jobs, type JobCall, type JobHandler, type JobResult } from '../api.js'
import cron from '../index.js'

export const TOKEN = 'a-token-for-the-tests-of-cron'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A clock whose wall time may be set. As on a real machine, its timers do not notice. */
export class WallClock extends TestClock {
  #shift = 0

  override now(): number {
    return super.now() + this.#shift
  }

  set(time: number): void {
    this.#shift += time - this.now()
  }
}

export interface Options {
  readonly at?: number
  readonly database?: boolean
  /** Data folder of an earlier host. */
  readonly data?: string
  readonly config?: Record<string, unknown>
  /** The agent's action. `false` starts a host without one. */
  readonly agent?: false | ((prompt: string, call: JobCall) => Promise<string | JobResult> | string | JobResult)
  readonly handlers?: readonly JobHandler[]
  readonly chat?: boolean
  readonly send?: (target: Target, message: OutboundMessage) => Promise<void>
  readonly setup?: (ctx: BaseContext<unknown>) => void
  readonly plugins?: readonly AnyPlugin[]
}

export interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data?: never
  readonly error?: string
  readonly code?: string
  readonly details?: readonly { path: string; message: string }[]
}

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(2)
}

export class Rig {
  readonly clock: WallClock
  readonly prompts: string[] = []
  readonly calls: JobCall[] = []
  readonly sent: { readonly target: Target; readonly text: string }[] = []
  account!: EndpointHandle
  host!: Host
  log: LogRecord[] = []
  data = ''
  #own = true

  constructor(at = Date.UTC(2026, 0, 1)) {
    this.clock = new WallClock(at)
  }

  get jobs(): Jobs {
    return this.host.get(Jobs) as Jobs
  }
  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }
  get logged(): string[] {
    return this.log.map(({ name, message }) => `${name}: ${message}`)
  }

  async start(options: Options = {}): Promise<this> {
    this.#own = options.data === undefined
    this.data = options.data ?? (await mkdtemp(join(tmpdir(), 'mynah-cron-')))
    const helper = definePlugin({
      name: 'helper',
      setup: (ctx) => {
        const { agent } = options
        if (agent !== false) {
          ctx.contribute(
            jobActions,
            jobAction<'agent'>({
              kind: 'agent',
              run: async ({ prompt }, call) => {
                this.prompts.push(prompt)
                this.calls.push(call)
                const result = (await agent?.(prompt, call)) ?? `done: ${prompt}`
                return typeof result === 'string' ? { text: result } : result
              },
            }),
          )
        }
        for (const handler of options.handlers ?? []) ctx.contribute(jobHandlers, handler)
        ctx.contribute(
          adapters,
          defineAdapter({
            name: 'test',
            acknowledges: 'never',
            guilds: true,
            create: (endpoint): Bot => ({
              connect: async () => {
                this.account = endpoint
                return { id: 'bot' }
              },
              disconnect: async () => {},
              send: async (target, message) => {
                await options.send?.(target, message)
                this.sent.push({ target, text: message.text })
                return { messageId: `out${this.sent.length}` }
              },
            }),
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
      ...(options.chat
        ? [
            ...(options.database === false ? [] : [{ plugin: inbox }]),
            {
              plugin: chat,
              config: { endpoints: [{ adapter: 'test', id: 'one', master: 'owner', trusted: ['friend'] }] },
            },
          ]
        : []),
      { plugin: cron, config: options.config ?? {} },
      ...(options.plugins ?? []).map((plugin) => ({ plugin })),
    ] as unknown as { plugin: AnyPlugin }[]
    const { host, log } = await startHost(entries, {
      clock: this.clock,
      services: [[HostPaths, { root: this.data, data: this.data }]] as never,
    })
    this.host = host
    this.log = log
    await until(() => host.get(Jobs) !== undefined && (!options.chat || host.get(Chat)?.online() === 1))
    return this
  }

  async rpc<T = Record<string, unknown>>(
    type: string,
    params: Record<string, unknown> = {},
  ): Promise<Omit<Reply, 'data'> & { readonly data: T }> {
    const response = await fetch(`${this.host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...params, type }),
    })
    return { status: response.status, ...((await response.json()) as object) } as never
  }

  /** Adds a task and returns its id. */
  async task(cronExpression: string, more: Record<string, unknown> = {}): Promise<string> {
    const { data, error } = await this.rpc<{ id: string }>('cron:add', { cronExpression, prompt: 'say it', ...more })
    if (error !== undefined) throw new Error(error)
    return data.id
  }

  async runs(id: string): Promise<JobRun[]> {
    return (await this.rpc<{ runs: JobRun[] }>('jobs:runs', { id, limit: 100 })).data.runs
  }

  /** Returns runs as `slot state`, oldest first. */
  async history(id: string): Promise<string[]> {
    return (await this.runs(id))
      .reverse()
      .map(
        ({ slot, state }) =>
          `${/^\d+$/.test(slot) ? new Date(Number(slot)).toISOString() : slot.replace(/:.*/, '')} ${state}`,
      )
  }

  /** Advances the clock. Resolves when all due runs have ended. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    await this.settled()
  }

  /** Sets the wall clock, and waits until the host notices. */
  async jump(to: number): Promise<void> {
    this.clock.set(to)
    await this.pass(15_000)
  }

  /** Resolves when no run is active. */
  async settled(): Promise<void> {
    const engine = this.jobs as unknown as {
      slotsTaken(): Promise<void>
      index: { ids(): readonly string[] }
      runner: { pool: { isBusy(id: string): boolean } }
    }
    for (let calm = 0; calm < 3;) {
      await engine.slotsTaken()
      await setTimeout(1)
      calm = engine.index.ids().some((id) => engine.runner.pool.isBusy(id)) ? 0 : calm + 1
    }
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
      const rig = await new Rig(options.at).start(options)
      running.push(rig)
      return rig
    },
  }
}
