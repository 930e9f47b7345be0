// Leaves 1,200 messages and 1,200 answers waiting, kills the host and starts it again: each is handled and sent once.
import { onceEach } from './lib/once-each.mjs'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'

const WAITING = 1_200
/** So many may have begun when the host was killed. */
const BEGUN = 256

const round = () =>
  inFolder(async (data) => {
    const first = new Life('durable-chat.mjs', { data, commands: WAITING, holds: true })
    await first.until(({ lines }) => lines.includes('received'))
    await first.kill('SIGKILL')
    const second = new Life('durable-chat.mjs', { data, notices: WAITING, name: 'n', offline: true })
    await second.until(({ lines }) => lines.includes('received'))
    await second.kill('SIGKILL')
    const third = new Life('durable-chat.mjs', { data })
    await third.until(({ lines }) => lines.includes('settled'))
    await third.kill('SIGTERM')
    const wrong = onceEach([first, second, third], { mayInterrupt: BEGUN })
    const notices = third.after('sent').filter((text) => text.startsWith('n-'))
    if (notices.length !== WAITING) wrong.push(`${notices.length} of ${WAITING} waiting answers were sent`)
    return wrong
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  const wrong = []
  for (let count = 0; count < rounds; count++) wrong.push(...(await round()))
  return rowOf(`${WAITING} messages and answers wait at a start`, rounds, wrong, 'each was handled and sent once')
}

await runIfMain(import.meta.url, run)
