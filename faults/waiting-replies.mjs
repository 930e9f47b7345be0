// Stops and kills a host while replies wait for a slow platform: each is sent once, or shown as unknown.
import { onDatabases } from './lib/databases.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'
import { onceEach } from './lib/once-each.mjs'

const COMMANDS = 50
/** A kill may leave messages that were being handled, and the one answer that was being sent. A stop has time. */
const AFTER = { SIGKILL: { mayInterrupt: 5, mayBeUnknown: 1 }, SIGTERM: {} }

const round = (number, database) =>
  inFolder(async (folder) => {
    const signal = Object.keys(AFTER)[number % 2]
    const enough = 1 + Math.floor(Math.random() * 20)
    const first = new Life('durable-chat.mjs', { folder, ...database, commands: COMMANDS, people: 1, sendMs: 20 })
    await first.until((life) => life.lines.includes('received') && life.after('sent').length >= enough)
    await first.kill(signal)
    const second = new Life('durable-chat.mjs', { folder, ...database })
    await second.until(({ lines }) => lines.includes('settled'))
    await second.kill('SIGTERM')
    const { wrong, counts } = onceEach([first, second], AFTER[signal])
    return { wrong: wrong.map((what) => `${signal}: ${what}`), counts }
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 20, databases } = {}) {
  const { wrong, figures, where } = await onDatabases({ rounds, databases }, round)
  const fault = `SIGKILL and SIGTERM while ${COMMANDS} answers wait for a slow platform, ${where}`
  return rowOf(fault, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
