// Lets PostgreSQL fall silent for twelve seconds while messages are handled, and restarts the host gracefully
// afterwards: nothing runs or is said twice, and no row stays open.
import { startProxy } from '../plugins/database/dist/testing/tcp-proxy.js'
import { onDatabases } from './lib/databases.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'
import { onceEach } from './lib/once-each.mjs'

const FAULT = 'the database is silent for 12 s'
const SILENT_MS = 12_000
const COMMANDS = 120
/** Slow enough that messages come in before, during and after the silence. */
const EVERY_MS = 25
/** So that commands and answers are under way when it begins. */
const SLOW = { runMs: 300, sendMs: 100 }
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const round = (_number, { url }) =>
  inFolder(async (folder) => {
    const proxy = await startProxy(url)
    try {
      const options = { folder, url: proxy.through(url), commands: COMMANDS, everyMs: EVERY_MS, ...SLOW }
      const first = new Life('durable-chat.mjs', options)
      await first.until(({ lines }) => lines.includes('ready'))
      await wait(Math.random() * COMMANDS * EVERY_MS)
      proxy.swallow()
      proxy.silence()
      await wait(SILENT_MS)
      proxy.restore()
      await first.until(({ lines }) => lines.includes('received'))
      await wait(3_000)
      await first.kill('SIGTERM')
      const second = new Life('durable-chat.mjs', { folder, url })
      await second.until(({ lines }) => lines.includes('settled'))
      await second.kill('SIGTERM')
      return onceEach([first, second])
    } finally {
      await proxy.close()
    }
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  const { wrong, figures, where } = await onDatabases({ rounds, databases: ['postgres'] }, round)
  return rowOf(`${FAULT}, ${where}`, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
