// IRC networks as a chat platform.
import { definePlugin } from '@mynah/kernel'
import { adapters } from '@mynah/plugin-chat/api'
import { irc } from './adapter.js'

export default definePlugin({
  name: 'adapter-irc',
  description: 'IRC networks as a chat platform',
  setup(ctx) {
    ctx.contribute(adapters, irc)
  },
})
