import { Cluster, definePlugin, ref } from '@mynah/kernel'
import { adapters, Chat, Deliveries, endpointSchema } from '@mynah/plugin-chat/api'
import { Http, routes } from '@mynah/plugin-http-core/api'
import { slack } from './adapter.js'
import { SlackConfig } from './config.js'
import { deliveries as options, webhookRoute } from './webhook.js'

export default definePlugin({
  name: 'adapter-slack',
  description: 'Slack as a chat platform',
  descriptions: { 'zh-CN': '以 Slack 作为聊天平台' },
  items: [endpointSchema({ name: 'slack', schema: SlackConfig })],
  // For calls of Slack only: a socket needs no server.
  needs: { http: ref(Http), chat: ref(Chat), cluster: ref(Cluster) },
  setup(ctx) {
    const deliveries = new Deliveries(ctx, options)
    ctx.contribute(
      adapters,
      slack({ keep: (bot) => void deliveries.keep(bot.endpoint, bot), hasServer: () => ctx.http.declared }),
    )
    ctx.contribute(routes, webhookRoute(deliveries))
  },
})
