import { WireError } from '@mynah/contract'
import type { Database, Reads, Writes } from '@mynah/database-api'
import { inBatches } from './in-batches.js'
import { fromEntry, toEntry } from './records.js'
import { oldestOf, ringIn, type Link } from './rings.js'
import { Entries, type EntryRecord, type SessionRecord } from './tables.js'
import type { Entry, MendedRing, NewEntry } from './types.js'

/** Rings that one read fixes. */
const MAX_RINGS = 100

/**
 * Walks up from $2 to the root of session $1, or to the first summary unless $3 is 1. A path has no more entries than
 * its session: a longer walk goes round in a ring, and ends.
 */
const WALK = `WITH RECURSIVE walk(session, n, parent, kind, role, content, meta, at, stop, steps) AS (
  SELECT e.session, e.n, e.parent, e.kind, e.role, e.content, e.meta, e.at,
    CASE WHEN e.kind = 'summary' THEN 1 ELSE 0 END, s.head
  FROM agent_entry e JOIN agent_session s ON s.id = e.session WHERE e.session = $1 AND e.n = $2
  UNION ALL
  SELECT e.session, e.n, e.parent, e.kind, e.role, e.content, e.meta, e.at,
    CASE WHEN e.kind = 'summary' THEN 1 ELSE 0 END, w.steps - 1
  FROM walk w JOIN agent_entry e ON e.session = w.session AND e.n = w.parent
  WHERE (w.stop = 0 OR $3 = 1) AND w.steps > 0
) SELECT session, n, parent, kind, role, content, meta, at FROM walk`

/** The same walk to the root, without contents. */
const LINKS = `WITH RECURSIVE walk(n, parent, steps) AS (
  SELECT e.n, e.parent, s.head FROM agent_entry e JOIN agent_session s ON s.id = e.session
  WHERE e.session = $1 AND e.n = $2
  UNION ALL
  SELECT e.n, e.parent, w.steps - 1 FROM walk w JOIN agent_entry e ON e.session = $1 AND e.n = w.parent
  WHERE w.steps > 0
) SELECT n, parent FROM walk`

/** The entries of sessions in the database. */
export class DatabaseEntries {
  readonly #database: Database
  readonly #now: () => number
  readonly #onMended: (mended: MendedRing) => void

  constructor(database: Database, now: () => number, onMended: (mended: MendedRing) => void) {
    this.#database = database
    this.#now = now
    this.#onMended = onMended
  }

  async path(session: string, leaf: number): Promise<readonly Entry[]> {
    const walked = await this.#walk(session, leaf, (db) => db.query<EntryRecord>(WALK, [session, leaf, 0]))
    const found = walked.reverse()
    const first = found[0]
    if (first?.kind !== 'summary' || first.content.kept.length === 0) return found
    return [first, ...(await this.all(session, first.content.kept)), ...found.slice(1)]
  }

  page(
    session: string,
    leaf: number,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]> {
    const older = before === undefined ? '' : ` WHERE n < ${Number(before)}`
    return this.#walk(session, leaf, (db) =>
      db.query<EntryRecord>(`${WALK}${older} LIMIT ${Number(limit)}`, [session, leaf, 1]),
    )
  }

  /** Returns the entries with these numbers, in order. */
  async all(session: string, seqs: readonly number[]): Promise<readonly Entry[]> {
    if (seqs.length === 0) return []
    const rows = await this.#database.read((db) =>
      inBatches(seqs, (batch) => db.find(Entries, { where: { session, n: { $in: batch } } })),
    )
    return rows.map(toEntry).sort((a, b) => a.seq - b.seq)
  }

  /** Runs a walk, and once more after it has met a ring, which is opened. */
  async #walk(session: string, leaf: number, walk: (db: Reads) => Promise<EntryRecord[]>): Promise<Entry[]> {
    const found = (await this.#database.read(walk)).map(toEntry)
    if (!ringIn(found)) return found
    for (const mended of await this.#mend(session, leaf)) this.#onMended(mended)
    return (await this.#database.read(walk)).map(toEntry)
  }

  /** Opens the rings on the way up from a leaf: the oldest entry of each is below what its turn began at. */
  #mend(session: string, leaf: number): Promise<readonly MendedRing[]> {
    return this.#database.tx(async (db) => {
      const mended: MendedRing[] = []
      while (mended.length < MAX_RINGS) {
        const ring = ringIn(await links(db, session, leaf))
        if (!ring) break
        const { seq, parent: closing } = oldestOf(ring)
        const parent = await baseBefore(db, session, seq)
        await db.run('UPDATE agent_entry SET parent = $1 WHERE session = $2 AND n = $3 AND parent = $4', [
          parent,
          session,
          seq,
          closing,
        ])
        mended.push({ session, entry: seq, parent })
      }
      return mended
    })
  }

  /**
   * Numbers the entries and writes each below the one before it.
   *
   * @param head number of the last of them, as taken from the session's row
   */
  async insert(
    db: Writes,
    session: string,
    head: number,
    parent: number | null,
    list: readonly NewEntry[],
  ): Promise<number[]> {
    const first = head - list.length + 1
    const now = this.#now()
    if (list.length)
      await db.insert(
        Entries,
        list.map((entry, index) =>
          fromEntry(session, first + index, index === 0 ? parent : first + index - 1, entry, now),
        ),
      )
    return list.map((_, index) => first + index)
  }
}

/** Takes so many numbers from a session. Returns its row, which stays locked to the end of the transaction. */
export async function takeNumbers(db: Writes, session: string, count: number): Promise<SessionRecord | undefined> {
  const [row] = await db.query<SessionRecord>('UPDATE agent_session SET head = head + $1 WHERE id = $2 RETURNING *', [
    count,
    session,
  ])
  return row
}

export const sessionGone = (): WireError => new WireError('not_found', 'The session is gone')

/**
 * Returns how many messages the entries of a turn hold, and whether a leaf can be hung above the first of them. It
 * cannot where it is below one of them: the way up from it would be a ring.
 */
export async function placeFor(
  db: Reads,
  session: string,
  entrySeqs: readonly number[],
  leaf: number | null,
): Promise<{ readonly messages: number; readonly fits: boolean }> {
  const own = new Set(entrySeqs)
  const rows = await inBatches(entrySeqs, (batch) => {
    const numbers = batch.map(Number).join(', ')
    return db.query<{ n: number; kind: string; role: string | null }>(
      `SELECT n, kind, role FROM agent_entry WHERE session = $1 AND n IN (${numbers})
       UNION ALL SELECT n, kind, role FROM agent_entry WHERE session = $1 AND parent IN (${numbers})
       AND n NOT IN (${numbers})`,
      [session],
    )
  })
  const isOwn = ({ n }: { readonly n: number }): boolean => own.has(Number(n))
  const messages = new Set(
    rows.filter((row) => isOwn(row) && row.kind === 'message' && row.role !== 'tool').map(({ n }) => Number(n)),
  ).size
  if (leaf === null) return { messages, fits: true }
  if (own.has(leaf)) return { messages, fits: false }
  // As a rule nothing is below the entries of an open turn, and there is nothing to walk.
  if (rows.every(isOwn)) return { messages, fits: true }
  return { messages, fits: !(await links(db, session, leaf)).some(({ seq }) => own.has(seq)) }
}

async function links(db: Reads, session: string, leaf: number): Promise<readonly Link[]> {
  const rows = await db.query<{ n: number; parent: number | null }>(LINKS, [session, leaf])
  return rows.map(({ n, parent }) => ({ seq: Number(n), parent: parent === null ? null : Number(parent) }))
}

/** Returns the leaf at which the turn of an entry began, where the way up from there does not lead to the entry. */
async function baseBefore(db: Reads, session: string, seq: number): Promise<number | null> {
  const row = await db.findOne(Entries, { session, n: seq })
  const { turn } = row ? toEntry(row).meta : {}
  if (turn === undefined) return null
  const [found] = await db.query<{ base: number | null }>('SELECT base FROM agent_turn WHERE id = $1', [turn])
  const base = found?.base ?? null
  if (base === null) return null
  const above = await links(db, session, Number(base))
  return above.length === 0 || above.some((link) => link.seq === seq) ? null : Number(base)
}
