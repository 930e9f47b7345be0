// Kills a host while its platform delivers every message three times: each is handled at most once, none is lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { redeliveryRounds } from '../plugins/inbox/dist/test/redelivery-rounds.js'

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 50 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    const { accepted, twice, answeredTwice, lost, interrupted, unknown } = await redeliveryRounds(folder, rounds)
    const row = {
      fault: 'kill -9 of a chatting host, every message delivered three times',
      rounds,
      result:
        `${accepted} accepted, ${twice} handled twice, ${answeredTwice} answered twice, ${lost} lost, ` +
        `${interrupted} shown as interrupted, ${unknown} sends unknown`,
      passed: twice + answeredTwice + lost === 0,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 50) })).passed ? 0 : 1
