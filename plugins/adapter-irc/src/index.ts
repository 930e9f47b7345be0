import { definePlugin } from '@mynah/kernel'
import { adapters, endpointSchema } from '@mynah/plugin-chat/api'
import { irc } from './adapter.js'

export default definePlugin({
  name: 'adapter-irc',
  description: 'IRC networks as a chat platform',
  descriptions: { 'zh-CN': '以 IRC 网络作为聊天平台' },
  items: [endpointSchema(irc)],
  setup(ctx) {
    ctx.contribute(adapters, irc)
  },
})
