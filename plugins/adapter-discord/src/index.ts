import { definePlugin } from '@mynah/kernel'
import { adapters, endpointSchema } from '@mynah/plugin-chat/api'
import { discord } from './adapter.js'

export default definePlugin({
  name: 'adapter-discord',
  description: 'Discord as a chat platform',
  descriptions: { 'zh-CN': '以 Discord 作为聊天平台' },
  items: [endpointSchema(discord)],
  setup(ctx) {
    ctx.contribute(adapters, discord)
  },
})
