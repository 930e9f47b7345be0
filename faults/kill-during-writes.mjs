// Kills a process while it writes: no acknowledged write may be lost, no transaction cut, no file damaged.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { killRounds } from '../plugins/database/dist/test/kill-rounds.js'

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 200 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { acknowledged, lost, halves, damaged, reopened } = await killRounds(folder, rounds)
    const row = {
      fault: 'kill -9 while writing',
      rounds,
      result:
        `${acknowledged} acknowledged, ${lost} lost, ${halves} half transactions, ` +
        `${damaged} damaged files, open again within ${reopened} ms`,
      passed: lost + halves + damaged === 0 && reopened <= 3_000,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 200) })).passed ? 0 : 1
