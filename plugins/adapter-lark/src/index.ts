import { Cluster, definePlugin, ref } from '@mynah/kernel'
import {
  adapters,
  Chat,
  defineAdapter,
  Deliveries,
  endpointSchema,
  formatEntities,
  type AccountProbe,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { LarkBot } from './bot.js'
import { LarkConfig } from './config.js'
import { guide } from './guide.js'
import { MAX_TEXT } from './outbound.js'
import { probe } from './probe.js'
import { deliveries as options, webhookRoute } from './webhook.js'

/** Lark takes one key once within an hour. The rest is for a slow request. */
const REPEATS_MS = 55 * 60_000

export default definePlugin({
  name: 'adapter-lark',
  description: 'Lark and Feishu as a chat platform',
  descriptions: { 'zh-CN': '以飞书（Lark）作为聊天平台' },
  items: [endpointSchema({ name: 'lark', schema: LarkConfig })],
  // Only the mode webhook needs a server.
  needs: { http: ref(Http), chat: ref(Chat), cluster: ref(Cluster) },
  setup(ctx) {
    const deliveries = new Deliveries(ctx, options)
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'lark',
        platform: 'Lark (Feishu)',
        schema: LarkConfig,
        guide,
        acknowledges: 'after-store',
        buttons: true,
        repeats: { forMs: REPEATS_MS },
        limits: { text: MAX_TEXT, media: 1 },
        format: formatEntities,
        create: (endpoint) =>
          deliveries.keep(endpoint, new LarkBot(endpoint as EndpointHandle<LarkConfig>, () => ctx.http.declared)),
        probe: (account) => probe(account as AccountProbe<LarkConfig>),
      }),
    )
    ctx.contribute(routes, webhookRoute(deliveries))
  },
})
