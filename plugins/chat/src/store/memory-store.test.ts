import type { Publication } from '@mynah/plugin-events/api'
import { messageStoreContract } from '../testing/index.js'
import { MemoryMessageStore } from './memory-store.js'

describe('MemoryMessageStore', () => {
  messageStoreContract(async () => {
    let now = 0
    const events: Publication[] = []
    const store = new MemoryMessageStore(
      (event) => events.push(event),
      () => now,
    )
    return {
      store,
      setTime(time) {
        now = time
      },
      published: () => events,
    }
  })
})
