// For the tests of plugins that the agent uses: a host with a chat platform of the test's own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type Host,
  type LogRecord,
  type PluginEntry,
  type Service,
} from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import type { Content } from '@mynah/contract/types'
import type { ModelMessage, ModelRequest } from '@mynah/plugin-ai/api'
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
import { Agent } from './api.js'
import agent from './index.js'

export { until }

/** The plugins and settings of a {@link ChatHost}. */
export interface ChatHostOptions {
  /** The plugin `ai`, the plugin that is tested, and what it needs. */
  readonly plugins: readonly (AnyPlugin | PluginEntry)[]
  readonly chat: AnyPlugin
  /** Plugins that start after the agent, and stop before it. */
  readonly later?: readonly (AnyPlugin | PluginEntry)[]
  /** Claims of the agent. */
  readonly config?: Record<string, unknown>
  /** The folder of an earlier host, whose data this one continues with. */
  readonly root?: string
  readonly clock?: TestClock
  readonly services?: readonly (readonly [Service<unknown>, unknown])[]
}

const CLAIMS = {
  'ai.agents': {},
  'ai.sessions': {},
  'ai.context': {},
  'ai.trigger': {},
  'ai.multimodal': {},
  'ai.agent': {},
}

/** A host whose bot `one` on the platform `test` belongs to the user `owner`. */
export class ChatHost {
  readonly clock: TestClock
  readonly sent: { readonly target: Target; readonly message: OutboundMessage }[] = []
  root = ''
  host!: Host
  log: LogRecord[] = []
  #account!: EndpointHandle
  #next = 0

  private constructor(clock: TestClock) {
    this.clock = clock
  }

  static async start({
    plugins,
    chat,
    later = [],
    config = {},
    root,
    clock = new TestClock(),
    services = [],
  }: ChatHostOptions): Promise<ChatHost> {
    const running = new ChatHost(clock)
    running.root = root ?? (await mkdtemp(join(tmpdir(), 'mynah-agent-')))
    const platform = definePlugin({
      name: 'test-platform',
      setup: (ctx) =>
        void ctx.contribute(
          adapters,
          defineAdapter({
            name: 'test',
            acknowledges: 'never',
            create: (endpoint): Bot => ({
              connect: async () => {
                running.#account = endpoint
                return { id: 'bot' }
              },
              disconnect: async () => {},
              send: async (target, message) => {
                running.sent.push({ target, message })
                return { messageId: `out${running.sent.length}` }
              },
            }),
          }),
        ),
    })
    const { host, log } = await startHost(
      [
        ...plugins,
        platform as unknown as AnyPlugin,
        {
          plugin: chat,
          config: {
            endpoints: [{ adapter: 'test', id: 'one', master: 'owner', trusted: ['tess'] }],
            // People of tests answer at once, and are no automata.
            dispatcher: { loop: { exchanges: 0 } },
          },
        },
        {
          plugin: agent as unknown as AnyPlugin,
          config: { ...CLAIMS, ...config, 'ai.trigger': { collectMs: 0, ...(config['ai.trigger'] as object) } },
        },
        ...later,
      ],
      {
        clock,
        services: [[HostPaths, { root: running.root, data: join(running.root, 'data') }], ...services] as never,
      },
    )
    running.host = host
    running.log = log
    const isUp = async (): Promise<boolean> => {
      // A database whose former host has not closed it yet is opened again later.
      const { retryAt } = host.inspect().find((plugin) => plugin.retryAt !== undefined) ?? {}
      if (retryAt !== undefined) await clock.advance(Math.max(0, retryAt - clock.now()))
      return host.get(Chat)?.online() === 1 && host.get(Agent) !== undefined
    }
    await until(isUp).catch((error: unknown) => {
      const down = host.inspect().filter(({ state }) => state !== 'active')
      throw new Error(down.map(({ name }) => host.why(name)).join('; '), { cause: error })
    })
    return running
  }

  get texts(): string[] {
    return this.sent.map(({ message }) => message.text)
  }
  /** Returns what was sent to a person in private. */
  to(user: string): string[] {
    return this.sent.filter(({ target }) => target.id === user).map(({ message }) => message.text)
  }

  /** Receives a message, in private unless `more` has a channel. Resolves to its id when it is accepted. */
  async hear(content: Content, user = 'ann', more: Partial<InboundMessage> = {}): Promise<string> {
    const id = more.id ?? `m${++this.#next}-${Math.random().toString(36).slice(2, 8)}`
    await this.#account.receive({
      id,
      channel: { type: 'private', id: user },
      sender: { id: user, name: user },
      content,
      ...more,
    })
    return id
  }

  /** Receives a message. Resolves to the texts that were sent until its handling has ended. */
  async say(content: Content, user = 'ann', more: Partial<InboundMessage> = {}): Promise<string[]> {
    const before = this.sent.length
    const id = await this.hear(content, user, more)
    await until(() => this.host.get(Chat)?.traces({ limit: 1, messageId: id })[0]?.endedAt !== undefined)
    return this.texts.slice(before)
  }

  /** Stops like a crash: running turns stay open. Resolves to the folder. */
  async crash(): Promise<string> {
    await crash(this)
    return this.root
  }

  /** @param keep leaves the folder for another host */
  async stop(keep = false): Promise<void> {
    await this.host.stop()
    if (!keep) await rm(this.root, { recursive: true, force: true })
  }
}

/** Starts hosts for one test, and stops those that are left after it. */
export function eachTest<A extends readonly unknown[], R extends { readonly host: ChatHost }>(
  start: (...given: A) => Promise<R>,
): { start(...given: A): Promise<R>; crash(one: R): Promise<string>; stop(one: R): Promise<string> } {
  const running = new Set<R>()
  afterEach(async () => {
    for (const { host } of running) await host.stop()
    running.clear()
  })
  return {
    async start(...given) {
      const one = await start(...given)
      running.add(one)
      return one
    },
    crash(one) {
      running.delete(one)
      return one.host.crash()
    },
    /** Stops a host and leaves its folder for another one. */
    async stop(one) {
      running.delete(one)
      await one.host.stop(true)
      return one.host.root
    },
  }
}

/** Returns the texts of a request, by role. */
export const said = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).map((message) => `${message.role}: ${partsOf(message)}`)

function partsOf({ content }: ModelMessage): string {
  return typeof content === 'string' ? content : content.map(partText).join('|')
}

function partText(part: Exclude<ModelMessage['content'], string>[number]): string {
  if ('text' in part) return part.text
  if (part.type === 'tool-call') return `call ${part.name}`
  if (part.type !== 'tool-result') return `(${part.type})`
  const { output } = part
  if (typeof output === 'string') return `result ${output}`
  return `result ${output.map((inner) => ('text' in inner ? inner.text : `(${inner.type})`)).join('')}`
}

/** Returns the results of tools in a request. */
export const results = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).flatMap((message) =>
    message.role === 'tool'
      ? message.content.map(({ output }) =>
          typeof output === 'string'
            ? output
            : output.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join(''),
        )
      : [],
  )

/** Stops a host as a crash does: its open turns are left where they are. */
export async function crash({ host, clock }: { readonly host: Host; readonly clock: TestClock }): Promise<void> {
  const isAgentUp = (): boolean =>
    host.inspect().some(({ name, state }) => name === 'agent' && state !== 'pending' && state !== 'failed')
  const stopped = host.stop()
  // Ends the wait for open turns, and for models that never answer. A database then has the time that it needs.
  while (isAgentUp()) {
    await clock.advance(1_000)
    // Plugins that stop before it may read from a disk, or their time is over before they can have done that.
    await pause(5)
  }
  await stopped
}
