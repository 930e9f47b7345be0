import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@mynah/kernel'
import { openSqlite, Store } from '@mynah/plugin-database/testing'
import { RunRows } from '../store/records.js'

export interface Rounds {
  readonly slots: number
  readonly twice: number
  readonly missing: number
  readonly states: Readonly<Record<string, number>>
}

/** Kills a host repeatedly while its jobs run, and counts the runs of its slots. */
export async function slotRounds(folder: string, rounds: number, jobs = 5): Promise<Rounds> {
  for (let round = 0; round < rounds; round++) {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('slot-process.js', import.meta.url)), folder, String(jobs)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    await setTimeout(1_200 + ((round * 397) % 1_000))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
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
    const rows = await store.read((db) => db.find(RunRows))
    const ran = (await readFile(join(folder, 'ran.txt'), 'utf8')).split('\n').filter(Boolean)
    const slotKey = new Map(rows.map(({ id, job_id, slot }) => [id, `${job_id} ${slot}`]))
    // A line without a row would be a run that was not recorded.
    const lines = ran.map((line) => slotKey.get(line.split(' ')[1] ?? '') ?? line)
    let missing = 0
    for (let n = 0; n < jobs; n++) {
      const slots = new Set(rows.filter(({ job_id }) => job_id === `job-${n}`).map(({ slot }) => Number(slot)))
      const [first, last] = [Math.min(...slots), Math.max(...slots)]
      for (let slot = first; slot <= last; slot += 1_000) if (!slots.has(slot)) missing++
    }
    const states: Record<string, number> = {}
    for (const { state } of rows) states[state] = (states[state] ?? 0) + 1
    return {
      slots: rows.length,
      twice:
        lines.length -
        new Set(lines).size +
        rows.length -
        new Set(rows.map(({ job_id, slot }) => `${job_id} ${slot}`)).size,
      missing,
      states,
    }
  } finally {
    await store.close()
  }
}
