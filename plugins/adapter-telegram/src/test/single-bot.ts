// One connected account without a host around it, for what chat only passes on.
import { systemClock } from '@mynah/kernel'
import type { EndpointHandle } from '@mynah/plugin-chat/api'
import { TelegramBot } from '../bot.js'
import { UPDATES, type TelegramConfig } from '../config.js'
import { BotApi, TOKEN } from './bot-api.js'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

/** Starts an account before the tests of a suite, and stops it after them. */
export function bot(options: Partial<TelegramConfig> = {}): {
  readonly api: () => BotApi
  readonly account: () => TelegramBot
} {
  let running: { api: BotApi; account: TelegramBot } | undefined
  before(async () => {
    const api = await BotApi.start()
    const config: TelegramConfig = {
      token: TOKEN,
      apiRoot: api.root,
      mode: 'polling',
      allowedUpdates: [...UPDATES],
      menu: true,
      ...options,
    }
    const account = new TelegramBot(
      {
        id: 'bot',
        adapter: 'telegram',
        config,
        log: silent as unknown as EndpointHandle['log'],
        clock: systemClock,
        signal: new AbortController().signal,
        receive: async () => {},
        request: async () => {},
        notice: async () => {},
        changed: () => Promise.resolve(),
        reaction: () => Promise.resolve(),
        cursor: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
        during() {},
        lost() {},
        self() {},
      },
      { pollers: new Map(), hasHttpServer: () => false },
    )
    await account.connect()
    api.record()
    running = { api, account }
  })
  after(async () => {
    await running?.account.disconnect()
    await running?.api.stop()
  })
  const now = (): NonNullable<typeof running> => {
    if (!running) throw new Error('the account has not started')
    return running
  }
  return { api: () => now().api, account: () => now().account }
}
