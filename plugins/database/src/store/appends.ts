// Appending: rows that arrive while a commit runs go into the next one together.
import { isWireError } from '@mynah/contract'
import type { Entity, Writes } from '../api.js'

interface Waiting {
  readonly entity: Entity
  readonly rows: readonly object[]
  readonly skip: boolean
  readonly resolve: (added: readonly boolean[]) => void
  readonly reject: (error: unknown) => void
}

/** Rows of one commit at most, so that no commit takes long. */
const MAX_ROWS = 5_000

export class Appends {
  readonly #tx: <T>(fn: (db: Writes) => Promise<T>) => Promise<T>
  #waiting: Waiting[] = []
  #running = false

  /** @param tx Runs a transaction of its own. */
  constructor(tx: <T>(fn: (db: Writes) => Promise<T>) => Promise<T>) {
    this.#tx = tx
  }

  /** Adds rows; resolves when they are committed. */
  add(entity: Entity, rows: readonly object[], skip: boolean): Promise<readonly boolean[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entity, rows, skip, resolve, reject })
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length) {
      let batch: Waiting[] = []
      try {
        const done = await this.#tx((db) => {
          batch = this.#take()
          return insertAll(db, batch)
        })
        for (const [index, { resolve }] of batch.entries()) resolve(done[index] as readonly boolean[])
      } catch (error) {
        if (batch.length === 0) batch = this.#take()
        if (batch.length > 1 && !(isWireError(error) && error.code === 'not_ready')) await this.#apart(batch)
        else for (const { reject } of batch) reject(error)
      }
    }
    this.#running = false
  }

  #take(): Waiting[] {
    let rows = 0
    let count = 0
    for (const { rows: own } of this.#waiting) {
      if (count > 0 && rows + own.length > MAX_ROWS) break
      rows += own.length
      count++
    }
    return this.#waiting.splice(0, count)
  }

  /** One of them has a row that cannot be kept: each on its own, so that only that one fails. */
  async #apart(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) {
      try {
        const [added] = await this.#tx((db) => insertAll(db, [waiting]))
        waiting.resolve(added as readonly boolean[])
      } catch (error) {
        waiting.reject(error)
      }
    }
  }
}

/** Inserts in order, with neighbours of the same table in one statement. */
async function insertAll(db: Writes, batch: readonly Waiting[]): Promise<(readonly boolean[])[]> {
  const added: (readonly boolean[])[] = []
  for (let start = 0; start < batch.length;) {
    const { entity, skip } = batch[start] as Waiting
    let end = start
    while (end < batch.length && batch[end]?.entity === entity && batch[end]?.skip === skip) end++
    const group = batch.slice(start, end)
    const rows = group.flatMap((waiting) => waiting.rows)
    const flags = skip ? await db.insertNew(entity, rows) : rows.map(() => true)
    if (!skip) await db.insert(entity, rows)
    let at = 0
    for (const waiting of group) added.push(flags.slice(at, (at += waiting.rows.length)))
    start = end
  }
  return added
}
