import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@mynah/kernel'
import { openSqlite, Store } from '@mynah/plugin-database/testing'
import { RunRows, type RunRow } from '../store/records.js'

export interface Rounds {
  readonly slots: number
  readonly twice: number
  readonly missing: number
  /** Rounds in which no job ran. */
  readonly stuck: number
  readonly states: Readonly<Record<string, number>>
  /** Runs of handlers that hang, by state. */
  readonly hanging: Readonly<Record<string, number>>
}

const linesOf = async (folder: string): Promise<string[]> =>
  (await readFile(join(folder, 'ran.txt'), 'utf8').catch(() => '')).split('\n').filter(Boolean)

/**
 * Kills a host repeatedly while its jobs run, and counts the runs of its slots.
 *
 * @param hanging jobs of each round whose handler never ends
 */
export async function slotRounds(folder: string, rounds: number, { jobs = 5, hanging = 0 } = {}): Promise<Rounds> {
  let stuck = 0
  for (let round = 0; round < rounds; round++) {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('slot-process.js', import.meta.url)), folder, String(jobs), String(hanging)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    const before = (await linesOf(folder)).length
    await setTimeout(1_200 + ((round * 397) % 1_000))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    if ((await linesOf(folder)).length === before) stuck++
  }
  const store = await new Store(await openSqlite(join(folder, 'mynah.sqlite'), Date.now()), systemClock, {
    changed() {},
    tableFailed(_, error) {
      throw error
    },
    listenerFailed() {},
  }).open()
  try {
    await store.contribute([RunRows])
    const all = await store.read((db) => db.find(RunRows))
    const rows = all.filter(({ job_id }) => job_id.startsWith('job-'))
    const ran = await linesOf(folder)
    const slotKey = new Map(rows.map(({ id, job_id, slot }) => [id, `${job_id} ${slot}`]))
    // A line without a row would be a run that was not recorded.
    const lines = ran.map((line) => slotKey.get(line.split(' ')[1] ?? '') ?? line)
    let missing = 0
    for (let n = 0; n < jobs; n++) {
      const slots = new Set(rows.filter(({ job_id }) => job_id === `job-${n}`).map(({ slot }) => Number(slot)))
      const [first, last] = [Math.min(...slots), Math.max(...slots)]
      for (let slot = first; slot <= last; slot += 1_000) if (!slots.has(slot)) missing++
    }
    return {
      slots: rows.length,
      twice:
        lines.length -
        new Set(lines).size +
        rows.length -
        new Set(rows.map(({ job_id, slot }) => `${job_id} ${slot}`)).size,
      missing,
      stuck,
      states: byState(rows),
      hanging: byState(all.filter((row) => !rows.includes(row))),
    }
  } finally {
    await store.close()
  }
}

function byState(rows: readonly RunRow[]): Record<string, number> {
  const states: Record<string, number> = {}
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1
  return states
}
