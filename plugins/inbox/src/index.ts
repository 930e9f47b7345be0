// The plugin `inbox`: chat's message store over the database.
import { definePlugin } from '@mynah/kernel'
import { MessageStore } from '@mynah/plugin-chat/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { DurableStore } from './store.js'
import { Messages, Notices, Requests } from './tables.js'

export default definePlugin({
  name: 'inbox',
  description: 'Messages, requests and notices that survive a restart',
  needs: { database: Database },
  provides: [MessageStore],
  setup(ctx) {
    for (const table of [Messages, Requests, Notices]) ctx.contribute(entities, table)
    ctx.provide(MessageStore, new DurableStore(ctx.database, () => ctx.clock.now()))
  },
})
