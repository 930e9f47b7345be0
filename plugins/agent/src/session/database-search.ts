import type { Reads } from '@mynah/plugin-database/api'
import { toEntry } from './records.js'
import { likePattern, saysAll, type SaidPage, type SaidPlace, type SaidQuery } from './said.js'
import { Sessions, type EntryRecord } from './tables.js'

/** Entries among which one call searches, but for a session that has more alone. */
const MAX_ENTRIES = 50_000
/** Sessions of one call. */
const MAX_SESSIONS = 500
/** Rows of one query. */
const ROWS = 200

interface Range {
  readonly newest: SessionPlace
  readonly oldest: SessionPlace
  /** Whether older sessions follow. */
  readonly hasMore: boolean
}
interface SessionPlace {
  readonly id: string
  readonly active_at: number
}

/**
 * Searches what was said in the sessions of a database. It needs no index of words, which no database here has for
 * Chinese, and reads a bounded number of entries instead, those of the last active sessions first.
 */
export async function searchSaid(db: Reads, { words, limit, after }: SaidQuery): Promise<SaidPage> {
  const range = await rangeOf(db, after)
  if (!range) return { found: [] }
  const found: { session: string; entry: ReturnType<typeof toEntry> }[] = []
  let place = after
  for (;;) {
    const rows = await candidates(db, words, range, place)
    for (const row of rows) {
      place = { session: row.session, seq: Number(row.n) }
      const entry = toEntry(row)
      if (!saysAll(entry, words)) continue
      found.push({ session: row.session, entry })
      if (found.length === limit) return { found, next: place }
    }
    if (rows.length < ROWS) break
  }
  return range.hasMore ? { found, next: { session: range.oldest.id, seq: 0 } } : { found }
}

/** Returns the sessions of one call: the one at which the search continues, and those before it. */
async function rangeOf(db: Reads, after: SaidPlace | undefined): Promise<Range | undefined> {
  const anchor = after && (await db.findOne(Sessions, { id: after.session }))
  if (after && !anchor) return undefined
  const from = anchor ? 'WHERE (active_at, id) <= ($1, $2)' : ''
  const rows = await db.query<SessionPlace & { readonly head: number }>(
    `SELECT id, active_at, head FROM agent_session ${from} ORDER BY active_at DESC, id DESC LIMIT ${MAX_SESSIONS + 1}`,
    anchor ? [Number(anchor.active_at), anchor.id] : [],
  )
  let entries = 0
  const end = rows.findIndex(({ head }, index) => {
    entries += Number(head)
    return index > 0 && (entries > MAX_ENTRIES || index === MAX_SESSIONS)
  })
  const chosen = end < 0 ? rows : rows.slice(0, end)
  const newest = chosen[0]
  const oldest = chosen.at(-1)
  return newest && oldest && { newest, oldest, hasMore: end >= 0 }
}

/** Returns rows that may say the words, after a place. */
function candidates(
  db: Reads,
  words: readonly string[],
  { newest, oldest }: Range,
  place: SaidPlace | undefined,
): Promise<EntryRecord[]> {
  const parameters: (string | number)[] = []
  const add = (value: string | number): string => `$${parameters.push(value)}`
  const like = db.dialect === 'sqlite' ? 'LIKE' : 'ILIKE'
  const conditions = [
    `(s.active_at, s.id) >= (${add(Number(oldest.active_at))}, ${add(oldest.id)})`,
    `(s.active_at, s.id) <= (${add(Number(newest.active_at))}, ${add(newest.id)})`,
    "e.kind = 'message' AND e.role IN ('user', 'assistant')",
    ...words.map((word) => {
      const pattern = add(likePattern(word))
      return `(e.content ${like} ${pattern} OR e.meta ${like} ${pattern})`
    }),
  ]
  if (place) {
    const at = '(SELECT active_at FROM agent_session WHERE id ='
    const [id, same, seq] = [add(place.session), add(place.session), add(place.seq)]
    conditions.push(`((s.active_at, s.id) < (${at} ${id}), ${id}) OR (s.id = ${same} AND e.n < ${seq}))`)
  }
  return db.query<EntryRecord>(
    `SELECT e.* FROM agent_session s JOIN agent_entry e ON e.session = s.id WHERE ${conditions.join(' AND ')}
     ORDER BY s.active_at DESC, s.id DESC, e.n DESC LIMIT ${ROWS}`,
    parameters,
  )
}

/** Returns the first user message of each session that has one. */
export async function firstMessages(db: Reads, sessions: readonly string[]): Promise<EntryRecord[]> {
  const ids = sessions.map((_, index) => `$${index + 1}`).join(', ')
  return db.query<EntryRecord>(
    `SELECT e.* FROM agent_entry e WHERE e.session IN (${ids}) AND e.n = (SELECT MIN(f.n) FROM agent_entry f
     WHERE f.session = e.session AND f.kind = 'message' AND f.role = 'user')`,
    sessions,
  )
}
