// Rounds of killing a writing process: what was acknowledged must be there, transactions whole, the file sound.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '@mynah/kernel'
import { entity } from '../api.js'
import { openSqlite } from '../engine/sqlite.js'
import { Store } from '../store/store.js'

interface Half {
  readonly id: string
  readonly half: string
}
/** Each acknowledged id has two rows. */
export const Pairs = entity<Half>({
  package: 'mynah-plugin-pairs',
  name: 'pair',
  columns: { id: { type: 'text', primary: true }, half: { type: 'text' } },
})

/** Results of all rounds together. */
export interface Found {
  readonly rounds: number
  readonly acknowledged: number
  /** Acknowledged ids without their rows. */
  readonly lost: number
  /** Ids with one row of two. */
  readonly halves: number
  /** Rounds after which the file was damaged. */
  readonly damaged: number
  /** Longest time until the file was open again, ms. */
  readonly reopened: number
}

const WRITER = new URL('./writer-process.js', import.meta.url)

async function writeUntilKilled(file: string, round: number, acknowledgements: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER.pathname, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ids: string[] = []
  const gone = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(line)
    if (ids.length === acknowledgements) child.kill('SIGKILL')
  }
  await gone
  if (ids.length < acknowledgements)
    throw new Error(`The writing process ended by itself after ${ids.length} acknowledgements`)
  return ids
}

/** Kills a writing process `rounds` times on one database in `folder`. */
export async function killRounds(folder: string, rounds: number): Promise<Found> {
  const file = join(folder, 'killed.sqlite')
  const acknowledged: string[] = []
  let damaged = 0
  let reopened = 0
  let halves = 0
  let lost = 0
  for (let round = 0; round < rounds; round++) {
    acknowledged.push(...(await writeUntilKilled(file, round, 1 + Math.floor(Math.random() * 200))))
    const began = performance.now()
    const engine = await openSqlite(file, Date.now())
    reopened = Math.max(reopened, performance.now() - began)
    if (engine.setAside) damaged++
    const store = await new Store(engine, systemClock, {
      changed() {},
      tableFailed: (_table, error) => {
        throw error
      },
    }).open()
    await store.contribute([Pairs])
    const rows = new Set(
      (await store.read((db) => db.query<{ id: string }>('SELECT id FROM pair'))).map(({ id }) => id),
    )
    await store.close()
    halves = 0
    for (const id of rows) if (!rows.has(id.replace(/.$/, (half) => (half === 'a' ? 'b' : 'a')))) halves++
    lost = acknowledged.filter((id) => !rows.has(`${id}-a`) || !rows.has(`${id}-b`)).length
  }
  return { rounds, acknowledged: acknowledged.length, lost, halves, damaged, reopened: Math.round(reopened) }
}
