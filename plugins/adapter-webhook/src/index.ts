import { definePlugin, ref } from '@mynah/kernel'
import { adapters, Chat, defineAdapter, endpointSchema, type EndpointHandle } from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { WebhookBot } from './bot.js'
import { WebhookConfig } from './config.js'
import { webhookRoute } from './route.js'

export default definePlugin({
  name: 'adapter-webhook',
  description: 'Any HTTP peer as a chat platform, with signed requests',
  descriptions: { 'zh-CN': '以任意 HTTP 对端作为聊天平台，请求带签名' },
  items: [endpointSchema({ name: 'webhook', schema: WebhookConfig })],
  // Requests need an HTTP server.
  needs: { http: Http, chat: ref(Chat) },
  setup(ctx) {
    const bots = new Map<string, WebhookBot>()
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'webhook',
        platform: 'Webhook',
        schema: WebhookConfig,
        acknowledges: 'after-store',
        create(endpoint) {
          const bot = new WebhookBot(endpoint as EndpointHandle<WebhookConfig>)
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
      }),
    )
    ctx.contribute(
      routes,
      webhookRoute(
        bots,
        (id) => (ctx.chat.declared && !ctx.chat.current) || ctx.chat.current?.isExpected('webhook', id) === true,
      ),
    )
  },
})
