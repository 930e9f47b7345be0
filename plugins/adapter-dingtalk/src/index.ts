import { definePlugin } from '@mynah/kernel'
import { adapters, endpointSchema } from '@mynah/plugin-chat/api'
import { dingtalk } from './adapter.js'

export default definePlugin({
  name: 'adapter-dingtalk',
  description: 'DingTalk as a chat platform',
  descriptions: { 'zh-CN': '以钉钉作为聊天平台' },
  items: [endpointSchema(dingtalk)],
  setup(ctx) {
    ctx.contribute(adapters, dingtalk)
  },
})
