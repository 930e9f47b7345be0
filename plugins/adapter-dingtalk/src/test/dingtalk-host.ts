// A host with one DingTalk account. It records what chat received.
import { definePlugin, systemClock, type Clock, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type Content, type Message } from '@mynah/plugin-chat/api'
import dingtalk from '../index.js'
import { CLIENT_ID, CLIENT_SECRET, DingTalkServer, ROOM } from './dingtalk-server.js'

export { until }
export const room = { type: 'group', id: ROOM } as const

/** The real clock, which can be moved forward. */
export class MovedClock implements Clock {
  #ahead = 0
  readonly setTimeout = systemClock.setTimeout
  readonly setInterval = systemClock.setInterval
  now(): number {
    return systemClock.now() + this.#ahead
  }
  forward(ms: number): void {
    this.#ahead += ms
  }
}

export class DingTalkHost {
  readonly server: DingTalkServer
  readonly clock = new MovedClock()
  readonly messages: Message[] = []
  answer: Content | undefined
  log: LogRecord[] = []
  #host: Host | undefined

  private constructor(server: DingTalkServer) {
    this.server = server
  }

  static async start(config: object = {}): Promise<DingTalkHost> {
    const host = new DingTalkHost(await new DingTalkServer().listen())
    await host.#run(config)
    return host
  }

  async #run(config: object): Promise<void> {
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.contribute(middlewares, {
          name: 'listener',
          handle: async (message) => {
            this.messages.push(message)
            if (this.answer !== undefined) await message.$reply(this.answer)
          },
        })
      },
    })
    const account = { adapter: 'dingtalk', id: 'bot', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    const endpoint = { ...account, apiRoot: this.server.http.url, outboundMedia: 'base64', ...config }
    const { host, log } = await startHost(
      [{ plugin: chat as never, config: { endpoints: [endpoint] } }, dingtalk, listener as never],
      { clock: this.clock },
    )
    this.#host = host
    this.log = log
  }

  get chat(): Chat {
    return this.#host?.get(Chat) as Chat
  }

  get status(): string {
    return this.chat.endpoints().find(({ name }) => name === 'bot')?.status ?? 'missing'
  }

  async reason(): Promise<string> {
    return (await this.chat.info('dingtalk', 'bot')).lastError ?? ''
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
      () => `${count} messages; there are ${JSON.stringify(this.messages.map(({ text }) => text))}`,
    )
  }

  async sends(count: number): Promise<void> {
    await until(
      () => this.server.sent.length >= count,
      () => `${count} messages of the bot; there are ${JSON.stringify(this.server.sent)}`,
    )
  }

  async stop(): Promise<void> {
    await this.#host?.stop()
    await this.server.stop()
  }
}
