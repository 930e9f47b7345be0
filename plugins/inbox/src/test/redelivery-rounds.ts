// Rounds of killing a chatting host while its platform delivers every message three times.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { systemClock } from '@mynah/kernel'
import { openSqlite, Store } from '@mynah/plugin-database/testing'
import { join } from 'node:path'
import { Messages } from '../tables.js'

/** Totals of all rounds. */
export interface Redelivered {
  readonly rounds: number
  /** Messages that the host reported as accepted. */
  readonly accepted: number
  /** Handled more than once. */
  readonly twice: number
  /** Answered more than once. */
  readonly answeredTwice: number
  /** Accepted, and neither handled nor visible as interrupted. */
  readonly lost: number
  readonly interrupted: number
  /** Sent messages whose outcome is unknown. */
  readonly unknown: number
}

const HOST = new URL('./chat-process.js', import.meta.url)
const BATCH = 40
const DELIVERIES = 3

class Tally {
  readonly accepted = new Set<string>()
  readonly began = new Map<string, number>()
  readonly sent = new Map<string, number>()

  line(line: string): void {
    const [what, id = ''] = line.split(' ')
    if (what === 'accepted') this.accepted.add(id)
    if (what === 'began') this.began.set(id, (this.began.get(id) ?? 0) + 1)
    if (what === 'sent') this.sent.set(id, (this.sent.get(id) ?? 0) + 1)
  }
}

/**
 * One life of the host: it gets `ids` several times over and is killed after so many lines, or stopped when all is
 * quiet.
 */
async function live(data: string, ids: readonly string[], killAfter: number | undefined, tally: Tally): Promise<void> {
  const child = spawn(process.execPath, [HOST.pathname, data], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  // A killed process breaks the pipe; that is what this is about.
  child.stdin.on('error', () => undefined)
  let lines = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') {
      for (let delivery = 0; delivery < DELIVERIES; delivery++) for (const id of ids) child.stdin.write(`${id}\n`)
      if (killAfter === undefined) child.stdin.write('stop\n')
      continue
    }
    tally.line(line)
    if (++lines === killAfter) child.kill('SIGKILL')
  }
  await gone
}

/**
 * Kills the host `rounds` times, each time with new messages and those of the last round once more; then lets it
 * finish.
 */
export async function redeliveryRounds(data: string, rounds: number): Promise<Redelivered> {
  const tally = new Tally()
  let before: string[] = []
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: BATCH }, (_, index) => `r${round}-${index}`)
    await live(data, [...before, ...ids], 1 + Math.floor(Math.random() * BATCH * (DELIVERIES + 2)), tally)
    before = ids
  }
  await live(data, before, undefined, tally)

  const store = await new Store(await openSqlite(join(data, 'mynah.sqlite'), Date.now()), systemClock, {
    changed() {},
    tableFailed: (_table, error) => {
      throw error
    },
  }).open()
  await store.contribute([Messages])
  const rows = await store.read((db) => db.find(Messages))
  await store.close()
  const inbound = new Map(rows.filter(({ direction }) => direction === 'in').map((row) => [row.message_id, row.state]))
  const more = (counts: ReadonlyMap<string, number>): number =>
    Array.from(counts.values()).filter((count) => count > 1).length
  return {
    rounds,
    accepted: tally.accepted.size,
    twice: more(tally.began),
    answeredTwice: more(tally.sent),
    lost: Array.from(tally.accepted).filter((id) => !['handled', 'interrupted'].includes(inbound.get(id) ?? '')).length,
    interrupted: Array.from(inbound.values()).filter((state) => state === 'interrupted').length,
    unknown: rows.filter(({ state }) => state === 'unknown').length,
  }
}
