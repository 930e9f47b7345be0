import { Cluster, definePlugin, ref } from '@mynah/kernel'
import {
  adapters,
  Chat,
  defineAdapter,
  Deliveries,
  endpointSchema,
  type AccountProbe,
  type EndpointHandle,
} from '@mynah/plugin-chat/api'
import { Http, routes, upgrades } from '@mynah/plugin-http-core/api'
import { OneBotBot } from './bot.js'
import { OneBotConfig } from './config.js'
import { guide } from './guide.js'
import { deliveries as options, postRoute } from './http-transport.js'
import { probe } from './probe.js'
import { reverseUpgrade } from './reverse.js'

/** QQ cuts longer texts off, or shows them as a picture. */
const TEXT_LENGTH = 4_500

export default definePlugin({
  name: 'adapter-onebot',
  description: 'QQ accounts through OneBot 11 as a chat platform',
  descriptions: { 'zh-CN': '通过 OneBot 11 以 QQ 账号作为聊天平台' },
  items: [endpointSchema({ name: 'onebot', schema: OneBotConfig })],
  // Only the mode forward needs no server.
  needs: { http: ref(Http), chat: ref(Chat), cluster: ref(Cluster) },
  setup(ctx) {
    const deliveries = new Deliveries<OneBotBot, null>(ctx, options)
    const hasServer = (): boolean => ctx.http.declared
    const connected = (token: string) =>
      Array.from(deliveries.bots.values()).find(
        ({ endpoint: { config } }) => config.mode !== 'http' && config.token === token,
      )?.transport
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'onebot',
        platform: 'QQ (OneBot)',
        schema: OneBotConfig,
        guide,
        acknowledges: 'never',
        limits: { text: TEXT_LENGTH },
        pacing: ({ pacing }) => ({ burst: pacing?.burst ?? 3, perSecond: pacing?.perSecond ?? 1, per: 'channel' }),
        create: (endpoint) =>
          deliveries.keep(endpoint, new OneBotBot(endpoint as EndpointHandle<OneBotConfig>, hasServer)),
        probe: (account) => probe(account as AccountProbe<OneBotConfig>, hasServer(), connected),
      }),
    )
    ctx.contribute(routes, postRoute(deliveries))
    ctx.contribute(upgrades, reverseUpgrade(deliveries))
  },
})
