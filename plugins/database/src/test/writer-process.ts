// A process that writes and says what was acknowledged, to be killed at any moment.
// Transactions of two rows and grouped appends, several at once; one line a kept id.
import { systemClock } from '@mynah/kernel'
import { openSqlite } from '../engine/sqlite.js'
import { Store } from '../store/store.js'
import { Pairs } from './kill-rounds.js'

const [file = '', round = ''] = process.argv.slice(2)
const store = await new Store(await openSqlite(file, Date.now()), systemClock, {
  changed() {},
  tableFailed: (_table, error) => {
    throw error
  },
}).open()
await store.contribute([Pairs])
const LANES = 4

await Promise.all(
  Array.from({ length: LANES }, async (_, lane) => {
    for (let count = 0; ; count++) {
      const id = `${round}-${lane}-${count}`
      if (lane % 2) {
        await store.tx(async (db) => {
          await db.insert(Pairs, { id: `${id}-a`, half: 'a' })
          await db.insert(Pairs, { id: `${id}-b`, half: 'b' })
        })
      } else
        await store.append(Pairs, [
          { id: `${id}-a`, half: 'a' },
          { id: `${id}-b`, half: 'b' },
        ])
      process.stdout.write(`${id}\n`)
    }
  }),
)
