import { Cluster, definePlugin, ref } from '@mynah/kernel'
import { adapters, Chat, defineAdapter, Deliveries, endpointSchema, type EndpointHandle } from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { WebhookBot } from './bot.js'
import { WebhookConfig } from './config.js'
import { deliveries as options } from './deliveries.js'
import { guide } from './guide.js'
import { webhookRoute } from './route.js'

export default definePlugin({
  name: 'adapter-webhook',
  description: 'Any HTTP peer as a chat platform, with signed requests',
  descriptions: { 'zh-CN': '以任意 HTTP 对端作为聊天平台，请求带签名' },
  items: [endpointSchema({ name: 'webhook', schema: WebhookConfig })],
  // Requests need an HTTP server.
  needs: { http: Http, chat: ref(Chat), cluster: ref(Cluster) },
  setup(ctx) {
    const deliveries = new Deliveries(ctx, options)
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'webhook',
        platform: 'Webhook',
        schema: WebhookConfig,
        guide,
        acknowledges: 'after-store',
        create: (endpoint) => deliveries.keep(endpoint, new WebhookBot(endpoint as EndpointHandle<WebhookConfig>)),
      }),
    )
    ctx.contribute(routes, webhookRoute(deliveries))
  },
})
