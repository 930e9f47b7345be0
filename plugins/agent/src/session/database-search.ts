import type { Reads } from '@mynah/database-api'
import { toEntry } from './records.js'
import { likePattern, saysAll } from './said.js'
import { Sessions, type EntryRecord } from './tables.js'
import type { SaidPage, SaidPlace, SaidQuery } from './types.js'

/** Entries among which one call searches, but for a session that has more alone. */
const MAX_ENTRIES = 50_000
/** Sessions of one call. */
const MAX_SESSIONS = 500
/** Rows of one query. */
const ROWS = 200

/** Queries of one call, for words that many rows only seem to contain. */
const MAX_QUERIES = 4

interface SessionPlace {
  readonly id: string
  readonly active_at: number
}
/** A place among the entries of sessions: below entry `seq` of this session. */
type Cursor = SessionPlace & { readonly seq: number }

interface Range {
  readonly newest: Cursor
  readonly oldest: SessionPlace
  /** Whether older sessions follow. */
  readonly hasMore: boolean
}

/**
 * Searches what was said in the sessions of a database. It needs no index of words, which no database here has for
 * Chinese, and reads a bounded number of entries instead, those of the last active sessions first.
 */
export async function searchSaid(db: Reads, { words, limit, after }: SaidQuery): Promise<SaidPage> {
  const range = await rangeOf(db, after)
  if (!range) return { found: [] }
  const found: { session: string; entry: ReturnType<typeof toEntry> }[] = []
  let from = range.newest
  for (let queries = 0; queries < MAX_QUERIES; queries++) {
    const rows = await candidates(db, words, from, range.oldest)
    for (const row of rows) {
      from = { id: row.session, active_at: Number(row.active_at), seq: Number(row.n) }
      const entry = toEntry(row)
      if (!saysAll(entry, words)) continue
      found.push({ session: row.session, entry })
      if (found.length === limit) return { found, next: placeOf(from) }
    }
    if (rows.length === ROWS) continue
    return range.hasMore ? { found, next: { session: range.oldest.id, seq: 0 } } : { found }
  }
  return { found, next: placeOf(from) }
}

const placeOf = ({ id, seq }: Cursor): SaidPlace => ({ session: id, seq })

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
  if (!newest || !oldest) return undefined
  return { newest: { ...newest, seq: after?.seq ?? Number.MAX_SAFE_INTEGER }, oldest, hasMore: end >= 0 }
}

/** Returns rows below a place that may say the words. */
function candidates(
  db: Reads,
  words: readonly string[],
  from: Cursor,
  oldest: SessionPlace,
): Promise<(EntryRecord & { readonly active_at: number })[]> {
  const like = db.dialect === 'sqlite' ? 'LIKE' : 'ILIKE'
  // The frame of a text, which has words of its own, is no text.
  const text = `replace(e.content, '{"type":"text","text":', '')`
  const contains = words.map((_, index) => ` AND ${text} ${like} $${index + 6}`).join('')
  return db.query(
    `SELECT e.*, s.active_at FROM agent_session s JOIN agent_entry e ON e.session = s.id
     WHERE (s.active_at, s.id) >= ($1, $2) AND (s.active_at, s.id) <= ($3, $4) AND (s.id <> $4 OR e.n < $5)
     AND e.kind = 'message' AND e.role IN ('user', 'assistant')${contains}
     ORDER BY s.active_at DESC, s.id DESC, e.n DESC LIMIT ${ROWS}`,
    [Number(oldest.active_at), oldest.id, Number(from.active_at), from.id, from.seq, ...words.map(likePattern)],
  )
}

/** Returns the first user message of each session that has one. */
export async function firstMessages(db: Reads, sessions: readonly string[]): Promise<EntryRecord[]> {
  const ids = sessions.map((_, index) => `$${index + 1}`).join(', ')
  return db.query<EntryRecord>(
    `SELECT e.* FROM agent_session s JOIN agent_entry e ON e.session = s.id AND e.n = (SELECT f.n FROM agent_entry f
     WHERE f.session = s.id AND f.kind = 'message' AND f.role = 'user' ORDER BY f.n LIMIT 1) WHERE s.id IN (${ids})`,
    sessions,
  )
}
