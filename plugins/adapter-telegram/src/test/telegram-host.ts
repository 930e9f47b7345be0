// A host with one Telegram bot and its platform. It records everything that chat received.
import { join } from 'node:path'
import {
  definePlugin,
  HostPaths,
  systemClock,
  type AnyPlugin,
  type Clock,
  type Host,
  type LogRecord,
} from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import {
  Chat,
  middlewares,
  noticeReceive,
  requestReceive,
  type Content,
  type InboundNotice,
  type InboundRequest,
  type Message,
  type Receipt,
} from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import telegram from '../index.js'
import { BotApi, TOKEN } from './bot-api.js'
import { failingStore } from '@mynah/plugin-chat/testing'

export { until }

/** Time limits of the kernel and chat. They are not shortened, since a busy machine would exceed them. */
const LIMITS: ReadonlySet<number> = new Set([5_000, 10_000, 30_000])

/** The real clock, with recorded and shortened delays. */
export class FastClock implements Clock {
  readonly waits: number[] = []
  readonly now = systemClock.now
  readonly setInterval = systemClock.setInterval

  setTimeout(callback: () => void, ms: number): () => void {
    if (ms >= 60_000 || LIMITS.has(ms)) return systemClock.setTimeout(callback, ms)
    this.waits.push(ms)
    return systemClock.setTimeout(callback, Math.min(ms, 20))
  }
}

export class TelegramHost {
  readonly api: BotApi
  readonly clock = new FastClock()
  readonly messages: Message[] = []
  readonly requests: InboundRequest[] = []
  readonly notices: InboundNotice[] = []
  log: LogRecord[] = []
  /** Whether the message store accepts messages. */
  storeAvailable = true
  #host: Host | undefined

  private constructor(api: BotApi) {
    this.api = api
  }

  static async start(
    config: Record<string, unknown> = {},
    {
      unreliableStore = false,
      withHttp = true,
      more = [],
      prepare,
    }: { unreliableStore?: boolean; withHttp?: boolean; more?: object[]; prepare?: (api: BotApi) => void } = {},
  ): Promise<TelegramHost> {
    const api = await BotApi.start()
    const telegramHost = new TelegramHost(api)
    api.record()
    prepare?.(api)
    const listener = definePlugin({
      name: 'listener',
      setup(ctx) {
        ctx.contribute(middlewares, { name: 'listener', handle: (message) => void telegramHost.messages.push(message) })
        ctx.on(requestReceive, (request) => void telegramHost.requests.push(request))
        ctx.on(noticeReceive, (notice) => void telegramHost.notices.push(notice))
      },
    })
    const { host, log } = await startHost(
      [
        ...(withHttp ? [{ plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } }] : []),
        {
          plugin: chat as never,
          config: {
            endpoints: [{ adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root, ...config }, ...more],
          },
        },
        telegram as never,
        listener as never,
        ...(unreliableStore ? [failingStore(() => telegramHost.storeAvailable)] : []),
      ],
      { clock: telegramHost.clock },
    )
    telegramHost.#host = host
    telegramHost.log = log
    return telegramHost
  }

  get host(): Host {
    if (!this.#host) throw new Error('the host has not started')
    return this.#host
  }

  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }

  get origin(): string {
    return this.host.get(Http)?.origin ?? ''
  }

  status(id = 'bot'): string {
    return this.chat.endpoints().find(({ name }) => name === id)?.status ?? 'missing'
  }

  async error(id = 'bot'): Promise<string | undefined> {
    return (await this.chat.info('telegram', id)).lastError
  }

  online(): Promise<void> {
    return until(() => this.status() === 'online', 'the endpoint to be online')
  }

  send(content: Content, id = '7', type: 'private' | 'group' = 'private'): Promise<Receipt> {
    return this.chat.send('telegram', 'bot', { type, id }, content)
  }

  async stop(): Promise<void> {
    await this.#host?.stop()
    await this.api.stop()
  }
}

/** Starts a host that stores its messages under `root`, with a bot of `api` and one more plugin. */
export async function startStoringHost(api: BotApi, root: string, plugin: AnyPlugin): Promise<Host> {
  const plain = (any: unknown): AnyPlugin => any as AnyPlugin
  const endpoint = { adapter: 'telegram', id: 'bot', token: TOKEN, apiRoot: api.root }
  const { host } = await startHost(
    [
      plain(database),
      plain(inbox),
      { plugin: plain(chat), config: { endpoints: [endpoint] } },
      plain(telegram),
      plugin,
    ],
    { services: [[HostPaths, { root, data: join(root, 'data') }]] },
  )
  await until(() => host.get(Chat)?.online() === 1, 'the bot to be online')
  return host
}

export const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
