// Restarts a host twice and five times while its owner is asked for a command, gracefully and by kills: the request
// waits on, is approved once and done once.
import { onDatabases } from './lib/databases.mjs'
import { inFolder, live, rowOf, runIfMain } from './lib/lives.mjs'

const WHO = ['bash', 'home', 'task']
const RESTARTS = [2, 5]

/** Leaves the host alone with its request for some restarts, and lets the owner approve then. */
const wait = (asks, restarts, how, database) =>
  inFolder(async (folder) => {
    for (let life = 0; life <= restarts; life++) {
      const options = { folder, ...database, ...(life === 0 ? { asks } : {}), next: how }
      const { pending } = (await live('asking.mjs', options)).report
      if (pending !== 1) return [`${pending} requests wait after ${life} restarts`]
    }
    const { report } = await live('asking.mjs', { folder, ...database, next: 'approve' })
    const { asked, pending, busy, said, ran, opened } = report
    const done = asks === 'home' ? opened : ran
    return [
      asked !== 1 && `the owner was asked ${asked} times`,
      pending > 0 && `${pending} requests are left`,
      busy && 'it never ends',
      done !== 1 && `it was done ${done} times`,
      !said.includes('done') && `the answer is ${JSON.stringify(said)}`,
    ].filter(Boolean)
  })

/** Each round has one number of restarts of one kind, for everybody who asks. */
async function once(number, database) {
  const asks = WHO[number % WHO.length]
  const round = Math.floor(number / WHO.length)
  const restarts = RESTARTS[round % RESTARTS.length]
  const how = round % 4 < 2 ? 'stop' : 'kill'
  const wrong = await wait(asks, restarts, how, database)
  return {
    wrong: wrong.map((what) => `${asks}, ${restarts} times ${how}: ${what}`),
    counts: { requests: 1, restarts, wrong: wrong.length },
  }
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30, databases } = {}) {
  const { wrong, figures, where } = await onDatabases({ rounds: rounds * WHO.length, databases }, once)
  return rowOf(`2 and 5 restarts while approvals wait, ${where}`, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
