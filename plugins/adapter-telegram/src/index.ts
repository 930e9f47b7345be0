import { definePlugin, ref } from '@mynah/kernel'
import {
  adapters,
  Chat,
  defineAdapter,
  endpointSchema,
  type AccountProbe,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { TelegramBot } from './bot.js'
import { API_ROOT, TelegramConfig } from './config.js'
import { probe } from './probe.js'
import { webhookRoute } from './webhook.js'

export default definePlugin({
  name: 'adapter-telegram',
  description: 'Telegram bots as a chat platform',
  descriptions: { 'zh-CN': '以 Telegram 机器人作为聊天平台' },
  items: [endpointSchema({ name: 'telegram', schema: TelegramConfig })],
  // For webhooks only: polling needs no server.
  needs: { http: ref(Http), chat: ref(Chat) },
  setup(ctx) {
    const bots = new Map<string, TelegramBot>()
    const pollers = new Map<string, TelegramBot>()
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'telegram',
        platform: 'Telegram',
        schema: TelegramConfig,
        acknowledges: 'after-store',
        buttons: true,
        // The limit of Telegram for all chats of a bot. Other servers report theirs with their answers.
        pacing: ({ apiRoot }) =>
          apiRoot === undefined || apiRoot === API_ROOT ? { burst: 30, perSecond: 30 } : undefined,
        create(endpoint) {
          const bot = new TelegramBot(endpoint as EndpointHandle<TelegramConfig>, {
            pollers,
            hasHttpServer: () => ctx.http.declared,
          })
          bots.set(endpoint.id, bot)
          endpoint.signal.addEventListener(
            'abort',
            () => {
              if (bots.get(endpoint.id) === bot) bots.delete(endpoint.id)
            },
            { once: true },
          )
          return bot
        },
        probe: (account) => probe(account as AccountProbe<TelegramConfig>),
      }),
    )
    ctx.contribute(
      routes,
      webhookRoute(
        bots,
        (id) => (ctx.chat.declared && !ctx.chat.current) || ctx.chat.current?.isExpected('telegram', id) === true,
      ),
    )
  },
})
