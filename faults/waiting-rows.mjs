// Leaves 1,200 messages and 1,200 answers waiting, kills the host and starts it again: each is handled and sent once.
import { onDatabases } from './lib/databases.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'
import { onceEach } from './lib/once-each.mjs'

const WAITING = 1_200
/** So many may have begun when the host was killed. */
const BEGUN = 256

const round = (_number, database) =>
  inFolder(async (folder) => {
    const first = new Life('durable-chat.mjs', { folder, ...database, commands: WAITING, holds: true })
    await first.until(({ lines }) => lines.includes('received'))
    await first.kill('SIGKILL')
    const second = new Life('durable-chat.mjs', { folder, ...database, notices: WAITING, name: 'n', offline: true })
    await second.until(({ lines }) => lines.includes('received'))
    await second.kill('SIGKILL')
    const third = new Life('durable-chat.mjs', { folder, ...database })
    await third.until(({ lines }) => lines.includes('settled'))
    await third.kill('SIGTERM')
    const { wrong, counts } = onceEach([first, second, third], { mayInterrupt: BEGUN })
    const notices = third.after('sent').filter((text) => text.startsWith('n-')).length
    if (notices !== WAITING) wrong.push(`${notices} of ${WAITING} waiting answers were sent`)
    return { wrong, counts: { ...counts, 'waiting answers sent': notices } }
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30, databases } = {}) {
  const { wrong, figures, where } = await onDatabases({ rounds, databases }, round)
  return rowOf(`${WAITING} messages and answers wait at a start, ${where}`, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
