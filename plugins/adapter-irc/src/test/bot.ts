// A host with one IRC endpoint, and what came in by it.
import { definePlugin, systemClock, type Clock, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import {
  adapters,
  aiPaths,
  Chat,
  middlewares,
  noticeReceive,
  requestReceive,
  type Channel,
  type Content,
  type Bot,
  type InboundNotice,
  type InboundRequest,
  type Message,
} from '@mynah/plugin-chat/api'
import { irc } from '../adapter.js'
import type { IrcServer } from './servers.js'

export interface RunningBot {
  readonly chat: Chat
  /** The account itself, for what chat offers by RPC only. */
  readonly account: Bot
  readonly heard: Message[]
  readonly notices: InboundNotice[]
  readonly requests: InboundRequest[]
  readonly log: LogRecord[]
  status(): string
  error(): Promise<string>
  online(): Promise<void>
  offline(): Promise<void>
  send(channel: Channel, content: Content): Promise<{ messageId: string }>
  stop(): Promise<void>
}

export interface BotOptions {
  readonly answer?: (message: Message) => Content | undefined
  /** Answers what is no command, as a model does. */
  readonly talk?: (message: Message) => Content
  readonly clock?: Clock
  /** Does not wait until the endpoint is online. */
  readonly eager?: true
}

/** Pauses of half a minute are twenty times as short; shorter ones, which limit waiting, stay. */
const hurried = (ms: number): number => (ms >= 30_000 && ms < 60_000 ? ms / 20 : ms)

/** The clock of the machine, in a hurry. */
export const fastClock: Clock = {
  now: () => systemClock.now(),
  setTimeout: (callback, ms) => systemClock.setTimeout(callback, hurried(ms)),
  setInterval: (callback, ms) => systemClock.setInterval(callback, hurried(ms)),
}

export async function startBot(
  server: Pick<IrcServer, 'port'>,
  config: Record<string, unknown> = {},
  options: BotOptions = {},
): Promise<RunningBot> {
  const heard: Message[] = []
  const notices: InboundNotice[] = []
  const requests: InboundRequest[] = []
  let account: Bot | undefined
  const adapter = definePlugin({
    name: 'adapter-irc',
    setup: (ctx) => {
      ctx.contribute(adapters, { ...irc, create: (endpoint) => (account = irc.create(endpoint)) })
    },
  })
  const listener = definePlugin({
    name: 'listener',
    setup(ctx) {
      ctx.on(noticeReceive, (notice) => void notices.push(notice))
      ctx.on(requestReceive, (request) => void requests.push(request))
      const { talk } = options
      if (talk)
        ctx.contribute(aiPaths, {
          name: 'talker',
          decide: ({ addressed }) => ({ matches: addressed, reason: 'addressed' }),
          handle: async (message, reply) => void (await reply(talk(message))),
        })
      ctx.contribute(middlewares, {
        name: 'listener',
        async handle(message, next) {
          heard.push(message)
          const answer = options.answer?.(message)
          if (answer === undefined) await next()
          else await message.$reply(answer)
        },
      })
    },
  })
  const endpoint = {
    adapter: 'irc',
    id: 'bot',
    host: '127.0.0.1',
    port: server.port,
    tls: false,
    nick: 'mynah',
    channels: ['#room'],
    pacing: { burst: 500, perSecond: 500 },
    ...config,
  }
  const { host, log } = await startHost(
    [adapter, { plugin: chat as never, config: { endpoints: [endpoint] } }, listener],
    options.clock ? { clock: options.clock } : {},
  )
  const service = host.get(Chat) as Chat
  const status = (): string => service.endpoints()[0]?.status ?? 'missing'
  const bot: RunningBot = {
    chat: service,
    account: account as unknown as Bot,
    heard,
    notices,
    requests,
    log,
    status,
    error: async () => (await service.info('irc', 'bot')).lastError ?? '',
    online: () =>
      until(
        () => status() === 'online',
        () => `until the bot is online: ${JSON.stringify(log.slice(-3).map(({ message }) => message))}`,
      ),
    offline: () => until(() => status() !== 'online', 'until the bot is offline'),
    send: (channel, content) => service.send('irc', 'bot', channel, content),
    stop: () => host.stop(),
  }
  if (!options.eager) await bot.online()
  return bot
}

export const room = (id = '#room'): Channel => ({ type: 'group', id })
export const privately = (id: string): Channel => ({ type: 'private', id })
