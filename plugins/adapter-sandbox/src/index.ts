import { definePlugin, ref } from '@mynah/kernel'
import { sandbox as contract } from '@mynah/contract'
import { adapters, defineAdapter, endpointSchema, MessageStore } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { consoleEntries } from '@mynah/plugin-entries/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { SandboxBot } from './bot.js'
import { readHistory } from './history.js'
import { sandboxMethods } from './methods.js'
import { MAX_MESSAGES, SandboxPlatform } from './platform.js'
import { StoredState } from './stored-state.js'

export default definePlugin({
  name: 'adapter-sandbox',
  description: 'A chat platform in the browser, for trying a bot without an account',
  descriptions: { 'zh-CN': '浏览器中的聊天平台，无需账号即可试用机器人' },
  items: [endpointSchema({ name: 'sandbox' })],
  needs: { store: ref(MessageStore) },
  setup(ctx) {
    const bots = new Map<string, SandboxBot>()
    const platforms = ctx.keep('platforms', () => new Map<string, SandboxPlatform>())
    ctx.contribute(
      streamEvents,
      declare(contract.events, 'sandbox:message', () => true),
    )
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'sandbox',
        platform: 'Sandbox',
        acknowledges: 'after-store',
        guilds: true,
        buttons: true,
        create(endpoint) {
          let platform = platforms.get(endpoint.id)
          if (!platform) platforms.set(endpoint.id, (platform = new SandboxPlatform(endpoint.id)))
          const bot = new SandboxBot(
            endpoint,
            platform,
            new StoredState(platform, endpoint.id, () => ctx.store.current),
            (message) => ctx.emit(publish, event(contract.events, 'sandbox:message', message)),
            (channel) => readHistory(platform, endpoint.id, channel, MAX_MESSAGES, ctx.store.current, ctx.log),
          )
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
        // There is nothing to ask. A bot would leave a platform behind.
        probe: () => Promise.resolve(),
      }),
    )
    for (const bound of sandboxMethods({
      bots,
      store: () => ctx.store.current,
      log: ctx.log,
      startedAt: Math.round(performance.timeOrigin),
    }))
      ctx.contribute(rpcMethods, bound)
    ctx.contribute(consoleEntries, {
      id: 'sandbox',
      name: 'Sandbox',
      module: new URL('../client/dist/index.js', import.meta.url),
      order: 10,
    })
  },
})
