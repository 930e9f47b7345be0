// A client follows the event stream while its host is killed with SIGKILL and stopped with SIGTERM: the event of every row comes once, in order.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { streamRounds } from '../plugins/database/dist/test/stream-rounds.js'

/** Runs the rounds, prints one row and gives it. */
export async function run({ rounds = 100 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { rows, missed, wrong, gaps, resets } = await streamRounds(folder, rounds)
    const row = {
      fault: 'stream client over kill -9 and SIGTERM in turn',
      rounds,
      result: `${rows} rows, ${missed} not told, ${wrong} told wrongly, ${gaps} gaps, ${resets} times told to start anew`,
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
