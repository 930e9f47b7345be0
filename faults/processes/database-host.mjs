// A host with a database, for faults of its network. Starts at the first line of its input.
// Arguments: address of the database, and `writes` or `idle`.
import { once } from 'node:events'
import { createHost } from '@mynah/kernel'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'

const [url, how] = process.argv.slice(2)
await once(process.stdin, 'data')
const host = await createHost([{ plugin: database, config: { type: 'postgres', url } }], { log: () => {} }).start()
const store = host.get(Database)
if (!store) throw new Error(host.inspect()[0]?.error?.message ?? 'no database')
const write = () => store.tx((db) => db.query("SELECT pg_sleep(0.05), repeat('x', 100000)"))
if (how === 'writes') {
  await write()
  void (async () => {
    for (;;) await write().catch(() => new Promise((resolve) => setTimeout(resolve, 100)))
  })()
}
console.log('up')
