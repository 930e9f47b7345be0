import { messageStoreContract } from '@mynah/plugin-chat/testing'
import { onEverySystem } from '@mynah/plugin-database/testing'
import type { Publication } from '@mynah/plugin-events/api'
import { DatabaseMessageStore } from './store.js'
import { TABLES } from './tables.js'

onEverySystem('DatabaseMessageStore', (open) => {
  messageStoreContract(async () => {
    const { store: database } = await open()
    await database.contribute(TABLES)
    let now = 0
    const published: Publication[] = []
    database.listen((events) => {
      for (const { type, json } of events) published.push({ type, data: JSON.parse(json) as unknown })
    })
    return {
      store: new DatabaseMessageStore(database, () => now),
      setTime(time) {
        now = time
      },
      published: () => published,
    }
  })
})
