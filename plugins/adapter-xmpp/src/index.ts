import { definePlugin } from '@mynah/kernel'
import { adapters, endpointSchema } from '@mynah/plugin-chat/api'
import { xmpp } from './adapter.js'

export default definePlugin({
  name: 'adapter-xmpp',
  description: 'XMPP servers as a chat platform',
  descriptions: { 'zh-CN': '以 XMPP 服务器作为聊天平台' },
  items: [endpointSchema(xmpp)],
  setup(ctx) {
    ctx.contribute(adapters, xmpp)
  },
})
