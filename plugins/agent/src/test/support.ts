// A host with the agent, chat, a platform of the test's own, and a model that answers from a script; with the database
// or without.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type BaseContext,
  type Host,
  type LogRecord,
  type PluginEntry,
} from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import { crash } from '../testing.js'
import type { Content } from '@mynah/contract/types'
import { tools, type ModelRequest, type ModelView, type Tool } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels, type ScriptedAnswer, type ScriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import {
  adapters,
  Chat,
  defineAdapter,
  type Bot,
  type EndpointHandle,
  type InboundMessage,
  type OutboundMessage,
  type Target,
} from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { Agent } from '../api.js'
import agent from '../index.js'

export { until }

export type Script =
  | readonly (string | ScriptedAnswer)[]
  | ((request: ModelRequest, index: number) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>)

export interface Options {
  readonly config?: Record<string, unknown>
  readonly tools?: readonly Tool[]
  readonly database?: boolean
  /** Of a host before: it goes on where that one ended. */
  readonly data?: string
  readonly bot?: Partial<Bot>
  /** Capabilities of the model in addition to pictures and tools. */
  readonly capabilities?: { readonly video?: boolean; readonly pdf?: boolean }
  /** The models that there are, in place of one. */
  readonly models?: readonly ModelView[]
  /** The platform shows buttons. */
  readonly buttons?: boolean
  /** The account connects when the agent is there, so that no message comes before. */
  readonly connectsLate?: boolean
  readonly send?: (target: Target, message: OutboundMessage) => Promise<{ messageId?: string } | void>
  readonly setup?: (ctx: BaseContext<unknown>) => void
  readonly plugins?: readonly (AnyPlugin | PluginEntry)[]
  /** Further keys of the account. */
  readonly endpoint?: Record<string, unknown>
}

const DEFAULTS = {
  'ai.agents': {},
  'ai.sessions': {},
  'ai.context': {},
  'ai.trigger': {},
  'ai.multimodal': {},
  'ai.agent': {},
}

export class Rig {
  readonly clock = new TestClock()
  readonly models: ScriptedModels
  readonly sent: { readonly target: Target; readonly message: OutboundMessage }[] = []
  readonly edits: string[] = []
  account!: EndpointHandle
  host!: Host
  log: LogRecord[] = []
  data = ''
  #next = 0

  constructor(script: Script, { capabilities, models = [] }: Pick<Options, 'capabilities' | 'models'> = {}) {
    const one = [
      {
        id: 'scripted',
        score: 50,
        contextWindow: 128_000,
        capabilities: { vision: true, streaming: true, toolCalling: true, thinking: false, ...capabilities },
      },
    ]
    this.models = scriptedModels(script, { now: () => this.clock.now(), models: models.length ? models : one })
  }

  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }
  get agent(): Agent {
    return this.host.get(Agent) as Agent
  }
  get texts(): string[] {
    return this.sent.map(({ message }) => message.text)
  }

  async start(options: Options = {}): Promise<this> {
    this.data = options.data ?? (await mkdtemp(join(tmpdir(), 'mynah-agent-')))
    const platform = definePlugin({
      name: 'test-platform',
      setup: (ctx) => {
        ctx.contribute(
          adapters,
          defineAdapter({
            name: 'test',
            acknowledges: 'never',
            ...(options.buttons ? { buttons: true } : {}),
            create: (endpoint): Bot => ({
              connect: async () => {
                if (options.connectsLate) await until(() => this.host?.get(Agent) !== undefined)
                this.account = endpoint
                return { id: 'bot' }
              },
              disconnect: async () => {},
              send: async (target, message) => {
                const result = await options.send?.(target, message)
                this.sent.push({ target, message })
                return result ?? { messageId: `out${this.sent.length}` }
              },
              ...options.bot,
            }),
          }),
        )
        for (const tool of options.tools ?? []) ctx.contribute(tools, tool)
        options.setup?.(ctx as BaseContext<unknown>)
      },
    })
    const { host, log } = await startHost(
      [
        ...(options.database
          ? [{ plugin: database as unknown as AnyPlugin }, { plugin: inbox as unknown as AnyPlugin }]
          : []),
        scripted(this.models) as unknown as AnyPlugin,
        platform as unknown as AnyPlugin,
        {
          plugin: chat as unknown as AnyPlugin,
          config: {
            endpoints: [{ adapter: 'test', id: 'one', master: 'owner', ...options.endpoint }],
            // People of tests answer at once, and are no automata.
            dispatcher: { loop: { exchanges: 0 } },
          },
        },
        {
          plugin: agent as unknown as AnyPlugin,
          config: {
            ...DEFAULTS,
            ...options.config,
            'ai.trigger': { collectMs: 0, ...(options.config?.['ai.trigger'] as object) },
          },
        },
        ...(options.plugins ?? []),
      ],
      { clock: this.clock, services: [[HostPaths, { root: this.data, data: this.data }]] as never },
    )
    this.host = host
    this.log = log
    await until(
      () => host.get(Chat)?.online() === 1 && host.get(Agent) !== undefined,
      () => {
        const states = host.inspect().map(({ name, state, waitingFor }) => [name, state, ...waitingFor].join(' '))
        const [endpoint] = host.get(Chat)?.endpoints() ?? []
        const words = log.slice(-5).map(({ message }) => message)
        return `chat and agent; ${states.join(', ')}; the endpoint is ${endpoint?.status}; ${words.join(' | ')}`
      },
    )
    return this
  }

  /** Sends a message to the bot. Resolves when it is accepted. */
  async hear(content: Content, more: Partial<InboundMessage> = {}): Promise<string> {
    const id = more.id ?? `m${++this.#next}-${Math.random().toString(36).slice(2, 8)}`
    await this.account.receive({
      id,
      channel: { type: 'private', id: 'ann' },
      sender: { id: 'ann', name: 'Ann' },
      content,
      ...more,
    })
    return id
  }

  /** Sends a message to the bot. Returns what the bot has sent until all of its turns have ended. */
  async say(content: Content, more: Partial<InboundMessage> = {}): Promise<string[]> {
    const before = this.sent.length
    const id = await this.hear(content, more)
    await this.ended(id)
    return this.texts.slice(before)
  }

  async ended(messageId: string): Promise<void> {
    await until(() => this.chat.traces({ limit: 1, messageId })[0]?.endedAt !== undefined)
  }

  steps(messageId: string): string[] {
    return (this.chat.traces({ limit: 1, messageId })[0]?.steps ?? []).map(({ stage, name, outcome }) =>
      [stage, name, outcome].filter(Boolean).join(' '),
    )
  }

  async stop(keep = false): Promise<void> {
    await this.host.stop()
    if (!keep) await rm(this.data, { recursive: true, force: true })
  }
}

/** Rigs of one test, stopped after it. */
export function eachTest(): {
  start(script: Script, options?: Options): Promise<Rig>
  follow(rig: Rig, script: Script, options?: Options): Promise<Rig>
} {
  const running: Rig[] = []
  afterEach(async () => {
    for (const rig of running.splice(0)) await rig.stop()
  })
  return {
    async start(script, options) {
      const rig = await new Rig(script, options).start(options)
      running.push(rig)
      return rig
    },
    /** Stops a rig as a crash does, what runs is left where it is, and starts one in its place. */
    async follow(before, script, options) {
      const at = running.indexOf(before)
      await crash(before)
      running.splice(at, 1)
      const rig = await new Rig(script).start({ ...options, data: before.data })
      running.push(rig)
      return rig
    },
  }
}

export { crash, said } from '../testing.js'
