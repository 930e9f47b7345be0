// Kills and stops a host while a client follows its event stream: the event of every row arrives once, in order.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { streamRounds } from '../plugins/database/dist/test/stream-rounds.js'

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 100 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { rows, missed, wrong, gaps, resets } = await streamRounds(folder, rounds)
    const row = {
      fault: 'stream client over kill -9 and SIGTERM in turn',
      rounds,
      result: `${rows} rows, ${missed} missed, ${wrong} wrong, ${gaps} gaps, ${resets} resets`,
      passed: missed + wrong + gaps + resets === 0,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 100) })).passed ? 0 : 1
