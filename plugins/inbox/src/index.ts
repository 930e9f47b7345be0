import { definePlugin } from '@mynah/kernel'
import { MessageStore } from '@mynah/plugin-chat/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { DatabaseMessageStore } from './store.js'
import { TABLES } from './tables.js'

export default definePlugin({
  name: 'inbox',
  description: 'Messages, requests and notices that survive a restart',
  descriptions: { 'zh-CN': '重启后仍在的消息、请求与通知' },
  needs: { database: Database },
  provides: [MessageStore],
  setup(ctx) {
    for (const table of TABLES) ctx.contribute(entities, table)
    ctx.provide(MessageStore, new DatabaseMessageStore(ctx.database, () => ctx.clock.now()))
  },
})
