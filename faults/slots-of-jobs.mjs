// Kills a host while jobs run every second and others hang: each slot runs at most once, and each has a row. The ones
// that hang stop no other.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { slotRounds } from '../plugins/cron/dist/test/slot-rounds.js'

/** More than a host has places for. */
const HANGING = 6

const counts = (states) =>
  Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 20 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { slots, twice, missing, stuck, states, hanging } = await slotRounds(folder, rounds, { hanging: HANGING })
    // A kill leaves a hanging run open only in the last round.
    const isEnded = (hanging.running ?? 0) + (hanging.queued ?? 0) <= HANGING && (hanging.ok ?? 0) === 0
    const row = {
      fault: 'kill -9 while jobs run and hang',
      rounds,
      result:
        `${slots} slots, ${twice} run twice, ${missing} without a row, ${stuck} rounds without a run; ` +
        `${counts(states)}; of the hanging ones ${counts(hanging)}`,
      passed: twice + missing + stuck === 0 && isEnded,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 20) })).passed ? 0 : 1
