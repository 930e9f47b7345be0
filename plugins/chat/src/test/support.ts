// A host with chat and a platform for tests. `say` passes a message in, and `sent` lists the messages that went out.
import {
  definePlugin,
  type AnyPlugin,
  type BaseContext,
  type Host,
  type HostOptions,
  type LogRecord,
  type PluginEntry,
} from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import type { Content } from '@mynah/contract/types'
import {
  adapters,
  Chat,
  commands,
  defineAdapter,
  type Adapter,
  type Bot,
  type Command,
  type EndpointHandle,
  type InboundMessage,
  type OutboundMessage,
  type Target,
} from '../api.js'
import chat from '../index.js'

export { until }

/** A message that reached the platform. */
export interface Sent {
  readonly endpoint: string
  readonly target: Target
  readonly message: OutboundMessage
}

export interface PlatformOptions {
  readonly adapter?: Partial<Adapter>
  readonly commands?: readonly Command[]
  readonly config?: Record<string, unknown>
  readonly plugins?: readonly (AnyPlugin | PluginEntry)[]
  readonly setup?: (ctx: BaseContext<unknown>) => void
  /** Replaces the platform's way to send. */
  readonly send?: (target: Target, message: OutboundMessage, attempt: number) => Promise<{ messageId?: string } | void>
  readonly connect?: (endpoint: EndpointHandle) => Promise<void>
  readonly bot?: Partial<Bot>
  readonly host?: Omit<HostOptions, 'log'>
}

export class Platform {
  readonly clock = new TestClock()
  readonly sent: Sent[] = []
  readonly accounts = new Map<string, EndpointHandle>()
  readonly lives: string[] = []
  host!: Host
  log: LogRecord[] = []
  attempts = 0
  #next = 0

  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }

  /** Texts that were sent, in order. */
  get texts(): string[] {
    return this.sent.map(({ message }) => message.text)
  }

  async start(options: PlatformOptions = {}): Promise<this> {
    const platform = definePlugin({
      name: 'test-platform',
      setup: (ctx) => {
        ctx.contribute(
          adapters,
          defineAdapter({
            name: 'test',
            acknowledges: 'never',
            ...options.adapter,
            create: (endpoint): Bot => ({
              connect: async () => {
                this.lives.push(`connect ${endpoint.id}`)
                await options.connect?.(endpoint)
                this.accounts.set(endpoint.id, endpoint)
                return { id: 'bot', name: 'Bot' }
              },
              disconnect: async () => {
                this.lives.push(`disconnect ${endpoint.id}`)
              },
              send: async (target, message) => {
                const answer = options.send ? await options.send(target, message, ++this.attempts) : undefined
                this.sent.push({ endpoint: endpoint.id, target, message })
                return answer
              },
              ...options.bot,
            }),
          }),
        )
        for (const command of options.commands ?? []) ctx.contribute(commands, command)
        options.setup?.(ctx as BaseContext<unknown>)
      },
    })
    const { host, log } = await startHost(
      [
        ...(options.plugins ?? []),
        { plugin: platform as unknown as AnyPlugin },
        {
          plugin: chat as unknown as AnyPlugin,
          config: {
            endpoints: [{ adapter: 'test', id: 'one', master: 'owner', trusted: ['friend'] }],
            ...options.config,
          },
        },
      ],
      { clock: this.clock, ...options.host },
    )
    this.host = host
    this.log = log
    if (!options.connect)
      await until(
        () =>
          host
            .get(Chat)
            ?.endpoints()
            .some(({ status }) => status === 'online') ?? true,
      )
    return this
  }

  /** Sends a message of a user, and resolves when it is accepted. */
  async hear(content: Content, more: Partial<InboundMessage> = {}, endpoint = 'one'): Promise<string> {
    const id = more.id ?? `m${++this.#next}`
    await (this.accounts.get(endpoint) as EndpointHandle).receive({
      id,
      channel: { type: 'private', id: 'ann' },
      sender: { id: 'ann', name: 'Ann' },
      content,
      ...more,
    })
    return id
  }

  /** Sends a message of a user, and returns the texts sent until its handling has ended. */
  async say(content: Content, more: Partial<InboundMessage> = {}): Promise<string[]> {
    const before = this.sent.length
    const id = await this.hear(content, more)
    await this.handled(id)
    return this.texts.slice(before)
  }

  /** Waits until the message is handled and answered: its trace has ended. */
  async handled(messageId: string): Promise<void> {
    await until(() => this.chat.traces({ limit: 1, messageId })[0]?.endedAt !== undefined)
  }

  /** `stage name outcome` of each decision about a message. */
  steps(messageId: string): string[] {
    return (this.chat.traces({ limit: 1, messageId })[0]?.steps ?? []).map(({ stage, name, outcome }) =>
      [stage, name, outcome].filter(Boolean).join(' '),
    )
  }

  async stop(): Promise<void> {
    await this.host.stop()
  }
}

/** Provides a platform for each test of a suite, and stops it after the test. */
export function eachTest(): { start(options?: PlatformOptions): Promise<Platform> } {
  const running: Platform[] = []
  afterEach(async () => {
    for (const platform of running.splice(0)) await platform.stop()
  })
  return {
    async start(options) {
      const platform = new Platform()
      await platform.start(options)
      running.push(platform)
      return platform
    },
  }
}
