// A host with accounts of QQ. It records what its middlewares get.
import { definePlugin, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type Message } from '@mynah/plugin-chat/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import onebot from '../index.js'
import { SECRET, TOKEN } from './onebot-server.js'

const PACING = { burst: 1_000, perSecond: 1_000 }

export class QqHost {
  readonly messages: Message[] = []
  readonly host: Host
  readonly log: LogRecord[]

  private constructor(host: Host, log: LogRecord[], messages: Message[]) {
    this.host = host
    this.log = log
    this.messages = messages
  }

  static async start(endpoints: readonly Record<string, unknown>[] = [{}]): Promise<QqHost> {
    const messages: Message[] = []
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) =>
        void ctx.contribute(middlewares, { name: 'listener', handle: (message) => void messages.push(message) }),
    })
    const items = endpoints.map((config, index) => ({
      adapter: 'onebot',
      id: index === 0 ? 'qq' : `qq-${index + 1}`,
      token: TOKEN,
      secret: SECRET,
      pacing: PACING,
      ...config,
    }))
    const { host, log } = await startHost([
      { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
      { plugin: chat as never, config: { endpoints: items } },
      onebot as never,
      listener as never,
    ])
    return new QqHost(host, log, messages)
  }

  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }

  /** Address for servers, beginning with `http`. */
  address(id = 'qq'): string {
    return `${this.host.get(Http)?.origin}/webhook/onebot/${id}`
  }

  socketAddress(id = 'qq'): string {
    return this.address(id).replace('http', 'ws')
  }

  status(id = 'qq'): string {
    return this.chat.endpoints().find(({ name }) => name === id)?.status ?? 'missing'
  }

  async error(id = 'qq'): Promise<string> {
    return (await this.chat.info('onebot', id)).lastError ?? ''
  }

  online(id = 'qq'): Promise<void> {
    return until(
      () => this.status(id) === 'online',
      () => `the endpoint ${id} to be online; it is ${this.status(id)}`,
    )
  }

  hears(count: number): Promise<void> {
    return until(
      () => this.messages.length >= count,
      () => `${count} messages; heard ${JSON.stringify(this.messages.map(({ text }) => text))}`,
    )
  }

  stop(): Promise<void> {
    return this.host.stop()
  }
}
