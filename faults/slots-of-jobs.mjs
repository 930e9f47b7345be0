// Kills a host while jobs run every second: each slot runs at most once, and each has a row.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { slotRounds } from '../plugins/cron/dist/test/slot-rounds.js'

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 20 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { slots, twice, missing, states } = await slotRounds(folder, rounds)
    const row = {
      fault: 'kill -9 while jobs run',
      rounds,
      result: `${slots} slots, ${twice} run twice, ${missing} without a row; ${Object.entries(states)
        .map(([state, count]) => `${count} ${state}`)
        .join(', ')}`,
      passed: twice + missing === 0,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 20) })).passed ? 0 : 1
