// One connected mailbox without a host around it: what it passes to chat is recorded.
import { systemClock, type Clock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import type { EndpointHandle, InboundMessage, OutboundMessage, Segment, Target } from '@mynah/plugin-chat/api'
import { MailBot } from '../bot.js'
import type { MailConfig } from '../config.js'
import { PASSWORD } from './dovecot.js'

export const alice: Target = { type: 'private', id: '~alice@example.org' }

/** Addresses of the servers of an account. */
export interface Servers {
  readonly url: string
}

export class Account {
  readonly messages: InboundMessage[] = []
  /** Outlives an account, as the store of chat does. */
  readonly cursors: Map<string, string>
  readonly lost: string[] = []
  readonly log: string[] = []
  readonly bot: MailBot
  /** Whether the store accepts messages. */
  isStoreUp = true
  readonly #known: Set<string>
  readonly #stopped = new AbortController()
  #keys = 0

  constructor(config: MailConfig, clock: Clock = systemClock, earlier?: Account) {
    this.cursors = earlier?.cursors ?? new Map()
    this.#known = earlier ? earlier.#known : new Set()
    const record = (text: string): void => void this.log.push(text)
    const move = (cursor: Readonly<Record<string, string>> = {}): void => {
      for (const [name, value] of Object.entries(cursor)) this.cursors.set(name, value)
    }
    const handle: EndpointHandle<MailConfig> = {
      id: 'box',
      adapter: 'mail',
      config,
      log: { trace: record, debug: record, info: record, warn: record, error: record, fatal: record } as never,
      clock,
      signal: this.#stopped.signal,
      receive: async (message, options) => {
        if (!this.isStoreUp) throw new Error('the store is down')
        // As chat does, a message that was received before is not handled again.
        if (!this.#known.has(message.id)) this.messages.push(message)
        this.#known.add(message.id)
        move(options?.cursor)
      },
      changed: () => Promise.resolve(),
      reaction: () => Promise.resolve(),
      request: () => Promise.resolve(),
      notice: () => Promise.resolve(),
      cursor: { get: async (name) => this.cursors.get(name), set: async (cursors) => move(cursors) },
      during() {},
      lost: (reason) => void this.lost.push(String(reason)),
      self() {},
    }
    this.bot = new MailBot(handle)
  }

  static configOf(imap: Servers, smtp: Servers, more: Partial<MailConfig> = {}): MailConfig {
    const servers = { imap: imap.url, smtp: smtp.url }
    return { ...servers, user: 'bot@example.net', password: PASSWORD, allow: ['@example.org'], ...more }
  }

  /** Connects an account, which goes on where an earlier one has stopped. */
  static async connect(
    imap: Servers,
    smtp: Servers,
    more: Partial<MailConfig> = {},
    earlier?: Account,
    clock?: Clock,
  ): Promise<Account> {
    const account = new Account(Account.configOf(imap, smtp, more), clock, earlier)
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
    target = alice,
    more: Partial<OutboundMessage> = {},
  ): Promise<{ messageId: string }> {
    return this.bot.send(target, { segments, text: '', key: `run-${++this.#keys}`, ...more })
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
