// Sends ten thousand events in a minute and kills the host: each event runs once, or is refused with a time to wait.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storm } from '../plugins/assistant/dist/test/storm.js'
import { runIfMain } from './lib/lives.mjs'

const EVENTS = 10_000
const MOST_MB = 50
/** A few sources with the default limit, and one with a limit above the capacity of the host. */
const STORMS = [
  { fault: 'ten sources over their limit', sources: 10, rateLimit: 60 },
  { fault: 'one source without a limit that matters', sources: 1, rateLimit: 100_000 },
  { fault: 'kill -9 in the middle', sources: 1, rateLimit: 100_000, killAfter: EVENTS / 5 },
]

/** Runs the storms and prints one row for each. Returns one row for all. */
export async function run() {
  const told = []
  let passed = true
  for (const { fault, ...options } of STORMS) {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
    try {
      const { statuses, unclear, accepted, ran, interrupted, twice, seconds, peakMb, afterMb } = await storm({
        folder,
        events: EVENTS,
        ...options,
      })
      const isBounded = options.killAfter !== undefined || peakMb <= MOST_MB
      const isFine = unclear === 0 && ran + interrupted === accepted && twice === 0 && isBounded
      const counts = Object.entries(statuses)
        .map(([status, count]) => `${count} x ${status}`)
        .join(', ')
      const memory =
        options.killAfter === undefined
          ? `; memory +${peakMb.toFixed(0)} MB at most, +${afterMb.toFixed(0)} MB after`
          : ''
      const result =
        `${counts} in ${seconds.toFixed(1)} s; ${accepted} accepted, ${ran} of them run, ` +
        `${interrupted} interrupted, ${twice} twice, ${unclear} answers unclear${memory}`
      console.log(`${isFine ? 'ok  ' : 'FAIL'}  ${EVENTS} events, ${fault}: ${result}`)
      told.push(`${fault}: ${result}`)
      passed &&= isFine
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return { fault: `storm of ${EVENTS} events`, rounds: STORMS.length, result: told.join('; '), passed }
}

await runIfMain(import.meta.url, run)
