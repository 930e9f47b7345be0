// A host with one Matrix account and its homeserver. It records everything that chat received.
import { definePlugin, systemClock, type Clock, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import {
  adapters,
  Chat,
  defineAdapter,
  middlewares,
  noticeReceive,
  reactionReceive,
  requestReceive,
  type Channel,
  type Content,
  type EndpointHandle,
  type InboundNotice,
  type InboundReaction,
  type InboundRequest,
  type Message,
  type Receipt,
} from '@mynah/plugin-chat/api'
import { MatrixBot } from '../bot.js'
import type { MatrixConfig } from '../config.js'
import { matrix } from '../adapter.js'
import { ALICE, Homeserver, TOKEN, type MockEvent } from './homeserver.js'

export { until }

/** Time limits of the kernel and chat. They are not shortened, since a busy machine would exceed them. */
const LIMITS: ReadonlySet<number> = new Set([5_000, 10_000, 20_000, 30_000])

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

export interface HostOptions {
  readonly config?: Record<string, unknown>
  readonly more?: readonly object[]
  readonly plugins?: readonly object[]
  readonly silenceMs?: number
  readonly server?: Homeserver
}

export class MatrixHost {
  readonly server: Homeserver
  readonly clock = new FastClock()
  readonly messages: Message[] = []
  readonly requests: InboundRequest[] = []
  readonly notices: InboundNotice[] = []
  readonly reactions: InboundReaction[] = []
  readonly sent: MockEvent[] = []
  /** Answers each message with this text, where there is one. */
  answer: ((message: Message) => Content | undefined) | undefined
  log: LogRecord[] = []
  /** The bot of the account that was created last. */
  bot!: MatrixBot
  readonly #options: HostOptions
  #host: Host | undefined

  private constructor(server: Homeserver, options: HostOptions) {
    this.server = server
    this.#options = options
  }

  static async start(options: HostOptions = {}): Promise<MatrixHost> {
    const server = options.server ?? (await Homeserver.start())
    const matrixHost = new MatrixHost(server, options)
    server.onSent = (event) => void matrixHost.sent.push(event)
    await matrixHost.run()
    return matrixHost
  }

  /** Starts the host, again after {@link MatrixHost.halt}. */
  async run(): Promise<void> {
    const { config = {}, more = [], plugins = [], silenceMs } = this.#options
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.contribute(middlewares, {
          name: 'listener',
          handle: async (message, next) => {
            this.messages.push(message)
            const answer = this.answer?.(message)
            if (answer === undefined) await next()
            else await message.$reply(answer)
          },
        })
        ctx.on(requestReceive, (request) => void this.requests.push(request))
        ctx.on(noticeReceive, (notice) => void this.notices.push(notice))
        ctx.on(reactionReceive, (reaction) => void this.reactions.push(reaction))
      },
    })
    const adapter = definePlugin({
      name: 'adapter-matrix',
      setup: (ctx) => {
        const create = (endpoint: EndpointHandle): MatrixBot => {
          this.bot = new MatrixBot(endpoint as EndpointHandle<MatrixConfig>, silenceMs)
          return this.bot
        }
        ctx.contribute(adapters, defineAdapter({ ...matrix, create }))
      },
    })
    const account = { adapter: 'matrix', id: 'bot', homeserver: this.server.http.origin, token: TOKEN, ...config }
    const { host, log } = await startHost(
      [
        { plugin: chat as never, config: { endpoints: [account, ...more] } },
        adapter as never,
        listener as never,
        ...(plugins as never[]),
      ],
      { clock: this.clock },
    )
    this.#host = host
    this.log = log
  }

  get host(): Host {
    if (!this.#host) throw new Error('the host has not started')
    return this.#host
  }

  get chat(): Chat {
    return this.host.get(Chat) as Chat
  }

  get texts(): string[] {
    return this.messages.map(({ text }) => text)
  }

  status(id = 'bot'): string {
    return this.chat.endpoints().find(({ name }) => name === id)?.status ?? 'missing'
  }

  async error(id = 'bot'): Promise<string | undefined> {
    return (await this.chat.info('matrix', id)).lastError
  }

  async online(id = 'bot'): Promise<this> {
    await until(
      () => this.status(id) === 'online',
      () => `the endpoint to be online; the log ends with ${JSON.stringify(this.log.slice(-3).map((r) => r.message))}`,
    )
    return this
  }

  /** Waits until so many messages came in. */
  hears(count: number): Promise<void> {
    return until(
      () => this.messages.length >= count,
      () => `${count} messages; heard ${JSON.stringify(this.texts)}; ${JSON.stringify(this.log.slice(-3))}`,
    )
  }

  send(content: Content, to: Channel = { type: 'private', id: ALICE }): Promise<Receipt> {
    return this.chat.send('matrix', 'bot', to, content)
  }

  async halt(): Promise<void> {
    await this.#host?.stop()
    this.#host = undefined
  }

  async stop(): Promise<void> {
    await this.halt()
    await this.server.http.stop()
  }
}

export const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
