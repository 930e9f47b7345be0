import { setTimeout } from 'node:timers/promises'
import type { AnyPlugin, BaseContext } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
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
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import { jobHandlers, Jobs, type JobHandler } from '../api.js'
import cron from '../index.js'
import { JobHost, stopAfterEach, until, type JobHostOptions } from '../testing.js'

export { until }
const TOKEN = 'a-token-for-the-tests-of-cron'
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

export interface Options extends JobHostOptions {
  readonly at?: number
  readonly config?: Record<string, unknown>
  readonly handlers?: readonly JobHandler[]
  readonly chat?: boolean
  readonly send?: (target: Target, message: OutboundMessage) => Promise<void>
  readonly plugins?: readonly AnyPlugin[]
  /** Whether runs that never end may be active at the end of the test. */
  readonly hangs?: boolean
}

const PASS_STEP_MS = MINUTE

/** The parts of the engine that tests wait for. */
interface EngineProbe {
  slotsTaken(): Promise<void>
  readonly index: { ids(): readonly string[] }
  readonly runner: { readonly pool: { isBusy(id: string): boolean } }
}

export interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data?: never
  readonly error?: string
  readonly code?: string
  readonly details?: readonly { path: string; message: string }[]
}

export class Rig extends JobHost<WallClock> {
  readonly sent: { readonly target: Target; readonly text: string }[] = []
  account!: EndpointHandle
  #hangs = false

  constructor(at = Date.UTC(2026, 0, 1)) {
    super(new WallClock(at), TOKEN)
  }

  get prompts(): string[] {
    return this.calls.map(({ prompt }) => prompt)
  }
  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }
  get logged(): string[] {
    return this.log.map(({ name, message }) => `${name}: ${message}`)
  }

  async start(options: Options = {}): Promise<this> {
    this.#hangs = options.hangs === true
    const setup = (ctx: BaseContext<unknown>): void => {
      for (const handler of options.handlers ?? []) ctx.contribute(jobHandlers, handler)
      ctx.contribute(adapters, this.#adapter(options))
      options.setup?.(ctx)
    }
    await this.startHost({ ...options, setup }, () => [
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
    ])
    const { host } = this
    await until(() => host.get(Jobs) !== undefined && (!options.chat || host.get(Chat)?.online() === 1))
    return this
  }

  #adapter(options: Options) {
    return defineAdapter({
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
    })
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
    // A clock that goes on while slots are being stored, or runs are ending, would skip the next ones.
    for (let left = ms; left > 0; left -= PASS_STEP_MS) {
      await this.clock.advance(Math.min(left, PASS_STEP_MS))
      await this.#engine.slotsTaken()
      if (this.#isBusy) await this.settled()
    }
    await this.settled()
  }

  /** Sets the wall clock, and waits until the host notices. */
  async jump(to: number): Promise<void> {
    this.clock.set(to)
    await this.pass(15_000)
  }

  override async stop(keep = false): Promise<void> {
    let isStopped = false
    const stopping = super.stop(keep).finally(() => {
      isStopped = true
    })
    // The host waits for active runs, for a time of this clock.
    while (this.#hangs && !isStopped) {
      await this.clock.advance(5_000)
      await setTimeout(1)
    }
    await stopping
  }

  get #engine(): EngineProbe {
    return this.jobs as unknown as EngineProbe
  }

  /** Resolves when no run is active. */
  async settled(): Promise<void> {
    const engine = this.#engine
    for (let calm = 0; calm < 3;) {
      await engine.slotsTaken()
      await setTimeout(1)
      calm = this.#isBusy ? 0 : calm + 1
    }
  }

  get #isBusy(): boolean {
    const { index, runner } = this.#engine
    return index.ids().some((id) => runner.pool.isBusy(id))
  }
}

/** Starts rigs that are stopped after each test. */
export function eachTest(): { start(options?: Options): Promise<Rig> } {
  const start = stopAfterEach((options: Options) => new Rig(options.at).start(options))
  return { start: (options = {}) => start(options) }
}
