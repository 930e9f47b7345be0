import { Cluster, definePlugin, ref } from '@mynah/kernel'
import {
  adapters,
  Chat,
  defineAdapter,
  Deliveries,
  endpointSchema,
  type AccountProbe,
  formatEntities,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { TelegramBot } from './bot.js'
import { API_ROOT, TelegramConfig } from './config.js'
import { guide } from './guide.js'
import { probe } from './probe.js'
import { deliveries as options, webhookRoute } from './webhook.js'

export default definePlugin({
  name: 'adapter-telegram',
  description: 'Telegram bots as a chat platform',
  descriptions: { 'zh-CN': '以 Telegram 机器人作为聊天平台' },
  items: [endpointSchema({ name: 'telegram', schema: TelegramConfig })],
  // For webhooks only: polling needs no server.
  needs: { http: ref(Http), chat: ref(Chat), cluster: ref(Cluster) },
  setup(ctx) {
    const deliveries = new Deliveries(ctx, options)
    const pollers = new Map<string, TelegramBot>()
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'telegram',
        platform: 'Telegram',
        schema: TelegramConfig,
        guide,
        acknowledges: 'after-store',
        buttons: true,
        format: formatEntities,
        // The limit of Telegram for all chats of a bot. Other servers report theirs with their answers.
        pacing: ({ apiRoot }) =>
          apiRoot === undefined || apiRoot === API_ROOT ? { burst: 30, perSecond: 30 } : undefined,
        create: (endpoint) =>
          deliveries.keep(
            endpoint,
            new TelegramBot(endpoint as EndpointHandle<TelegramConfig>, {
              pollers,
              hasHttpServer: () => ctx.http.declared,
              commandPrefix: () => ctx.chat.current?.commandPrefix ?? '/',
            }),
          ),
        probe: (account) => probe(account as AccountProbe<TelegramConfig>),
      }),
    )
    ctx.contribute(routes, webhookRoute(deliveries))
  },
})
