// A host with one Slack account. It records what chat received.
import { definePlugin, systemClock, type Clock, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type Content, type Message, type ReplyOptions } from '@mynah/plugin-chat/api'
import slack from '../index.js'
import { FIRST, ROOM, SlackServer } from './slack-server.js'

export { until }
export const room = { type: 'group', id: ROOM } as const

/** The real clock, whose pauses of up to five seconds are short. */
export const hasty: Clock = {
  now: systemClock.now,
  setInterval: systemClock.setInterval,
  setTimeout: (callback, ms) => systemClock.setTimeout(callback, ms > 5_000 ? ms : Math.min(ms, 20)),
}

export class SlackHost {
  readonly server: SlackServer
  readonly messages: Message[] = []
  answer: { readonly content: Content; readonly options?: ReplyOptions } | undefined
  log: LogRecord[] = []
  readonly #config: object
  readonly #plugins: readonly object[]
  host: Host | undefined

  constructor(server: SlackServer, config: object = {}, plugins: readonly object[] = []) {
    this.server = server
    this.#config = config
    this.#plugins = plugins
  }

  static async start(config: object = {}, plugins: readonly object[] = []): Promise<SlackHost> {
    const host = new SlackHost(await new SlackServer().listen(), config, plugins)
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
    const { botToken, appToken } = FIRST
    const account = { adapter: 'slack', id: 'bot', botToken, appToken, apiRoot: this.server.apiRoot }
    const endpoint = { ...account, replies: 'channel', ...this.#config }
    const { host, log } = await startHost(
      [
        { plugin: chat as never, config: { endpoints: [JSON.parse(JSON.stringify(endpoint)) as object] } },
        slack,
        listener as never,
        ...(this.#plugins as never[]),
      ],
      { clock: hasty },
    )
    this.host = host
    this.log = log
  }

  get chat(): Chat {
    return this.host?.get(Chat) as Chat
  }

  get texts(): string[] {
    return this.messages.map(({ text }) => text)
  }

  get status(): string {
    return this.chat.endpoints().find(({ name }) => name === 'bot')?.status ?? 'missing'
  }

  async reason(): Promise<string> {
    return (await this.chat.info('slack', 'bot')).lastError ?? ''
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
    await this.host?.stop()
    this.host = undefined
  }

  async stop(): Promise<void> {
    await this.halt()
    await this.server.stop()
  }
}
