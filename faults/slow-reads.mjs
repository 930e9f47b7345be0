// Starts a host whose store reads slowly while messages come in: no command runs twice.
import { onDatabases } from './lib/databases.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'
import { onceEach } from './lib/once-each.mjs'

/** So many may have begun when the host was killed. */
const BEGUN = 256
const READ_MS = 250

const round = (_number, database) =>
  inFolder(async (folder) => {
    const first = new Life('durable-chat.mjs', { folder, ...database, commands: 400, holds: true })
    await first.until(({ lines }) => lines.includes('received'))
    await first.kill('SIGKILL')
    const more = { commands: 400, name: 'd', everyMs: 1, readMs: READ_MS }
    const second = new Life('durable-chat.mjs', { folder, ...database, ...more })
    await second.until(({ lines }) => lines.includes('settled'))
    await second.kill('SIGTERM')
    return onceEach([first, second], { mayInterrupt: BEGUN })
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30, databases } = {}) {
  const { wrong, figures, where } = await onDatabases({ rounds, databases }, round)
  return rowOf(`reads ${READ_MS} ms slow at a start, ${where}`, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
