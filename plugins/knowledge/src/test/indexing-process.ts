// Reads the documents of a folder into a database in a file, until it is killed.
import { openSqlite, Store } from '@mynah/plugin-database/testing'
import { systemClock } from '@mynah/kernel'
import { Rig } from './support.js'

const [, , file = '', root = ''] = process.argv
const events = { changed() {}, tableFailed() {}, listenerFailed() {} }
const store = await new Store(await openSqlite(file, Date.now()), systemClock, events as never).open()
const opened = { store, changes: [], failures: [], close: () => store.close() }
const rig = await Rig.start(opened, { house: ['docs'] }, root)
await rig.knowledge.stop()
await store.close()
process.stdout.write('done\n')
