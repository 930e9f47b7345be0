// One connected account without a host around it: what it passes to chat is recorded.
import { systemClock, type Clock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import type {
  EndpointHandle,
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
  OutboundMessage,
  Segment,
  Target,
} from '@mynah/plugin-chat/api'
import { OneBotBot } from '../bot.js'
import type { OneBotConfig } from '../config.js'
import { GROUP, TOKEN, type OneBotServer } from './onebot-server.js'

export const group: Target = { type: 'group', id: String(GROUP) }

export class Account {
  readonly messages: InboundMessage[] = []
  readonly changes: InboundChange[] = []
  readonly reactions: InboundReaction[] = []
  readonly requests: InboundRequest[] = []
  readonly notices: InboundNotice[] = []
  readonly cursors = new Map<string, string>()
  /** Why connections were lost. */
  readonly lost: string[] = []
  readonly log: string[] = []
  readonly bot: OneBotBot
  readonly #stopped = new AbortController()
  #keys = 0

  constructor(config: OneBotConfig, clock: Clock = systemClock) {
    const record = (text: string): void => void this.log.push(text)
    const move = (cursor: Readonly<Record<string, string>> = {}): void => {
      for (const [name, value] of Object.entries(cursor)) this.cursors.set(name, value)
    }
    const handle: EndpointHandle<OneBotConfig> = {
      id: 'qq',
      adapter: 'onebot',
      config,
      log: { trace: record, debug: record, info: record, warn: record, error: record, fatal: record } as never,
      clock,
      signal: this.#stopped.signal,
      receive: async (message, options) => {
        this.messages.push(message)
        move(options?.cursor)
      },
      changed: async (change) => void this.changes.push(change),
      reaction: async (reaction) => void this.reactions.push(reaction),
      request: async (request) => void this.requests.push(request),
      notice: async (notice) => void this.notices.push(notice),
      cursor: { get: async (name) => this.cursors.get(name), set: async (cursors) => move(cursors) },
      during() {},
      lost: (reason) => void this.lost.push(String(reason)),
      self() {},
    }
    this.bot = new OneBotBot(handle, () => true)
  }

  /** Connects an account to a server that listens. */
  static async forward(server: OneBotServer, config: OneBotConfig = {}, clock?: Clock): Promise<Account> {
    const account = new Account({ mode: 'forward', url: server.url, token: TOKEN, ...config }, clock)
    await account.bot.connect()
    return account
  }

  get texts(): string[] {
    return this.messages.map(({ content }) =>
      (content as Segment[]).map(({ data }) => String(data.text ?? '')).join(''),
    )
  }

  async hears(count: number): Promise<void> {
    await until(
      () => this.messages.length >= count,
      () => `${count} messages; heard ${JSON.stringify(this.texts)}; lost ${this.lost.join()}`,
    )
  }

  send(
    segments: readonly Segment[],
    target = group,
    more: Partial<OutboundMessage> = {},
  ): Promise<{ messageId?: string }> {
    return this.bot.send(target, { segments, text: '', key: String(++this.#keys), ...more })
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.bot.disconnect()
  }
}

export const failure = (
  promise: Promise<unknown>,
): Promise<Error & { code?: string; kind?: string; retryAfter?: number }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
