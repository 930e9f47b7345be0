// Starts a host whose store reads slowly while messages come in: no command runs twice.
import { onceEach } from './lib/once-each.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'

const BEGUN = 256
const READ_MS = 250

const round = () =>
  inFolder(async (data) => {
    const first = new Life('durable-chat.mjs', { data, commands: 400, holds: true })
    await first.until(({ lines }) => lines.includes('received'))
    await first.kill('SIGKILL')
    const second = new Life('durable-chat.mjs', { data, commands: 400, name: 'd', everyMs: 1, readMs: READ_MS })
    await second.until(({ lines }) => lines.includes('settled'))
    await second.kill('SIGTERM')
    return onceEach([first, second], { mayInterrupt: BEGUN })
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  const wrong = []
  for (let count = 0; count < rounds; count++) wrong.push(...(await round()))
  return rowOf(`reads ${READ_MS} ms slow at a start`, rounds, wrong, 'no command ran twice')
}

await runIfMain(import.meta.url, run)
