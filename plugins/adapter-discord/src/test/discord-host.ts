// A host with one Discord account. It records what chat received.
import { definePlugin, systemClock, type Clock, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type Content, type Message, type ReplyOptions } from '@mynah/plugin-chat/api'
import discord from '../index.js'
import { DiscordServer, GUILD, ROOM, TOKEN } from './discord-server.js'

export { until }
export const room = { type: 'channel', id: ROOM, parent: { type: 'guild', id: GUILD } } as const

/** The real clock, whose pauses of up to five seconds are short. */
export const hasty: Clock = {
  now: systemClock.now,
  setInterval: systemClock.setInterval,
  setTimeout: (callback, ms) => systemClock.setTimeout(callback, ms > 5_000 ? ms : Math.min(ms, 20)),
}

export class DiscordHost {
  readonly server: DiscordServer
  readonly messages: Message[] = []
  answer: { readonly content: Content; readonly options?: ReplyOptions } | undefined
  log: LogRecord[] = []
  readonly #config: object
  readonly #plugins: readonly object[]
  readonly #clock: Clock
  #host: Host | undefined

  constructor(server: DiscordServer, config: object = {}, plugins: readonly object[] = [], clock = hasty) {
    this.server = server
    this.#config = config
    this.#plugins = plugins
    this.#clock = clock
  }

  static async start(config: object = {}, plugins: readonly object[] = [], clock = hasty): Promise<DiscordHost> {
    const host = new DiscordHost(await new DiscordServer().listen(), config, plugins, clock)
    await host.run()
    await host.online()
    return host
  }

  async run(): Promise<void> {
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.contribute(middlewares, {
          name: 'listener',
          handle: async (message) => {
            this.messages.push(message)
            if (this.answer) await message.$reply(this.answer.content, this.answer.options)
          },
        })
      },
    })
    const endpoint = { adapter: 'discord', id: 'bot', token: TOKEN, apiRoot: this.server.apiRoot, ...this.#config }
    const { host, log } = await startHost(
      [
        { plugin: chat as never, config: { endpoints: [endpoint] } },
        discord,
        listener as never,
        ...(this.#plugins as never[]),
      ],
      { clock: this.#clock },
    )
    this.#host = host
    this.log = log
  }

  get chat(): Chat {
    return this.#host?.get(Chat) as Chat
  }

  get texts(): string[] {
    return this.messages.map(({ text }) => text)
  }

  get status(): string {
    return this.chat.endpoints().find(({ name }) => name === 'bot')?.status ?? 'missing'
  }

  async reason(): Promise<string> {
    return (await this.chat.info('discord', 'bot')).lastError ?? ''
  }

  online(): Promise<void> {
    return until(
      () => this.status === 'online',
      () => `the endpoint to be online; the log ends with ${JSON.stringify(this.log.slice(-3))}`,
    )
  }

  hears(count: number): Promise<void> {
    return until(
      () => this.messages.length >= count,
      () => `${count} messages; heard ${JSON.stringify(this.texts)}; ${JSON.stringify(this.log.slice(-3))}`,
    )
  }

  async halt(): Promise<void> {
    await this.#host?.stop()
    this.#host = undefined
  }

  async stop(): Promise<void> {
    await this.halt()
    await this.server.stop()
  }
}
