// Loaded before all else into the process that reads a document.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { closeNetwork } from './closed-network.js'

closeNetwork()
const watch = new Worker(new URL('watch.js', import.meta.url), { argv: process.argv.slice(2), execArgv: [] })
// Nothing is read before it watches.
await once(watch, 'online')
// The process ends with its document.
watch.unref()
