import { definePlugin } from '@mynah/kernel'
import { adapters, endpointSchema } from '@mynah/plugin-chat/api'
import { matrix } from './adapter.js'

export default definePlugin({
  name: 'adapter-matrix',
  description: 'Matrix homeservers as a chat platform',
  descriptions: { 'zh-CN': '以 Matrix 主服务器作为聊天平台' },
  items: [endpointSchema(matrix)],
  setup(ctx) {
    ctx.contribute(adapters, matrix)
  },
})
