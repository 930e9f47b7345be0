// Restarts a host twice and five times while its owner is asked for a command, gracefully and by kills: the request
// waits on, is approved once and done once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

const HOST = fileURLToPath(new URL('./processes/asking.mjs', import.meta.url))
const WHO = ['bash', 'home', 'task']
const RESTARTS = [2, 5]

/** Runs one life of the host. Returns its report. */
async function live(folder, who, approves) {
  const child = spawn(process.execPath, [HOST, folder, 'none', who, approves], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    complained = (complained + chunk).slice(-2_000)
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the host ended with ${signal ?? code}: ${complained}`)
  return JSON.parse(said)
}

/** Leaves the host alone with its request for some restarts, and lets the owner approve then. */
const wait = (who, restarts, how) =>
  inFolder(async (folder) => {
    for (let life = 0; life <= restarts; life++) {
      const { pending } = await live(folder, life === 0 ? who : '-', how)
      if (pending !== 1) return [`${pending} requests wait after ${life} restarts`]
    }
    const { asked, pending, busy, said, ran, opened } = await live(folder, '-', 'yes')
    const done = who === 'home' ? opened : ran
    return [
      asked !== 1 && `the owner was asked ${asked} times`,
      pending > 0 && `${pending} requests are left`,
      busy && 'it never ends',
      done !== 1 && `it was done ${done} times`,
      !said.includes('done') && `the answer is ${JSON.stringify(said)}`,
    ].filter(Boolean)
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  const wrong = []
  // Each round has one number of restarts of one kind, for everybody who asks.
  for (let round = 0; round < rounds; round++) {
    const restarts = RESTARTS[round % RESTARTS.length]
    const how = round % 4 < 2 ? 'stop' : 'kill'
    for (const who of WHO)
      wrong.push(...(await wait(who, restarts, how)).map((what) => `${who}, ${restarts} times ${how}: ${what}`))
  }
  return rowOf('2 and 5 restarts while approvals wait', rounds, wrong, 'asked once, done once, no request is left')
}

await runIfMain(import.meta.url, run)
