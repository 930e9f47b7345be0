// IRC networks as a chat platform.
import { definePlugin } from '@mynah/kernel'
import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
import { IrcBot } from './bot.js'
import { IrcConfig } from './config.js'

export default definePlugin({
  name: 'adapter-irc',
  description: 'IRC networks as a chat platform',
  setup(ctx) {
    ctx.contribute(adapters, defineAdapter({
      name: 'irc',
      platform: 'IRC',
      schema: IrcConfig,
      acknowledges: 'never',
      create: (endpoint) => new IrcBot(endpoint),
    }))
  },
})
