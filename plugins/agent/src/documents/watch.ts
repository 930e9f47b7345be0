// A thread next to the one that reads a document, which may be busy for long. It ends the process when that holds too
// much memory, also in buffers, or when the host is gone.
import process from 'node:process'
import { MAX_MEMORY } from './limits.js'

const INTERVAL_MS = 10
const host = Number(process.argv[2])

setInterval(() => {
  if (process.ppid !== host || process.memoryUsage.rss() > MAX_MEMORY) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
