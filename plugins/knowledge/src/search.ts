import type { Database, Reads } from '@mynah/database-api'
import { questionTerms, type Term } from './words.js'

/** A passage that was found. */
export interface Found {
  readonly base: string
  readonly path: string
  readonly heading: string
  readonly page?: number
  readonly text: string
}

export interface SearchOptions {
  /** Names of the bases that are searched. */
  readonly bases: readonly string[]
  /** How many passages are returned at most. */
  readonly limit: number
}

interface Ranked {
  readonly id: number
  readonly file: string
  readonly score: number
}

/** Passages that are ranked. Documents are ranked by theirs. */
const RANKED = 100
/** How much the passages of a document count for it, the best one first. */
const SHARES = [1, 0.5, 0.25]
/** Passages of one document among those found, so that one does not hide all others. */
const OF_ONE_FILE = 2

/** Returns the passages that fit a question best. */
export async function search(database: Database, question: string, options: SearchOptions): Promise<Found[]> {
  const terms = questionTerms(question)
  const { bases, limit } = options
  if (terms.length === 0 || bases.length === 0) return []
  return database.read(async (db) => {
    const ranked = await (db.dialect === 'sqlite' ? rankSqlite : rankPostgres)(db, terms, bases)
    return passages(db, best(ranked, limit))
  })
}

/** Returns the ids of the best passages of the best documents. */
function best(ranked: readonly Ranked[], limit: number): number[] {
  const files = new Map<string, Ranked[]>()
  for (const row of ranked) files.set(row.file, [...(files.get(row.file) ?? []), row])
  const scoreOf = (rows: readonly Ranked[]): number =>
    SHARES.reduce((sum, share, index) => sum + share * Number(rows[index]?.score ?? 0), 0)
  return Array.from(files.values())
    .map((rows) => ({ rows, score: scoreOf(rows) }))
    .sort((a, b) => b.score - a.score)
    .flatMap(({ rows }) => rows.slice(0, OF_ONE_FILE).map(({ id }) => id))
    .slice(0, limit)
}

async function passages(db: Reads, ids: readonly number[]): Promise<Found[]> {
  if (ids.length === 0) return []
  const rows = await db.query<Omit<Found, 'page'> & { readonly id: number; readonly page: number | null }>(
    `SELECT c.id, c.heading, c.page, c.text, f.base, f.path FROM knowledge_chunk c JOIN knowledge_file f ON f.id = c.file
     WHERE c.id IN (${placesFrom(1, ids)})`,
    ids,
  )
  const known = new Map(rows.map((row) => [Number(row.id), row]))
  return ids.flatMap((id) => {
    const row = known.get(Number(id))
    if (!row) return []
    const { base, path, heading, page, text } = row
    return [{ base, path, heading, text, ...(page === null ? {} : { page }) }]
  })
}

/** Passages of all bases among which those of the wanted ones are looked for first. */
const FIRST = 400
/** Words in a larger share of all passages say little, and take long to rank by. */
const FREQUENT = 0.2

/** Words of the title count more than those of the text. */
const TITLE_WEIGHT = 3

async function rankSqlite(db: Reads, terms: readonly Term[], bases: readonly string[]): Promise<Ranked[]> {
  // A term has letters and digits alone, so that quotes make it a word and nothing else.
  const match = terms.map(({ word, isPrefix }) => `"${word}"${isPrefix ? '*' : ''}`).join(' OR ')
  // Crossed joins keep this order: the index of words is read once, not for each passage.
  const rank = (words: string) =>
    db.query<Ranked>(
      `SELECT c.id, c.file, w.score FROM (${words}) w CROSS JOIN knowledge_chunk c ON c.id = w.id
       CROSS JOIN knowledge_file f ON f.id = c.file AND f.version = c.version
       WHERE f.base IN (${placesFrom(2, bases)}) ORDER BY w.score DESC, c.id LIMIT ${RANKED}`,
      [match, ...bases],
    )
  const words = `SELECT rowid AS id, -bm25(knowledge_words, ${TITLE_WEIGHT}, 1) AS score FROM knowledge_words
    WHERE knowledge_words MATCH $1`
  const first = await rank(`${words} ORDER BY score DESC LIMIT ${FIRST}`)
  // Passages of other bases may have taken the places.
  return first.length === RANKED ? first : rank(words)
}

/**
 * PostgreSQL ranks by how often a word is in a passage, not by how rare it is in all of them, so that each word is
 * weighed by this.
 */
async function rankPostgres(db: Reads, terms: readonly Term[], bases: readonly string[]): Promise<Ranked[]> {
  const queryOf = ({ isPrefix }: Term, place: number): string =>
    isPrefix ? `to_tsquery('simple', $${place} || ':*')` : `plainto_tsquery('english', $${place})`
  const [sum] = await db.query<{ total: number | string | null }>('SELECT sum(chunks) AS total FROM knowledge_file')
  const total = Number(sum?.total ?? 0)
  const most = Math.ceil(total * FREQUENT)
  const counts = await db.query<{ term: number; found: number | string }>(
    terms
      .map(
        (term, index) =>
          `SELECT ${index} AS term, count(*) AS found FROM
           (SELECT 1 FROM knowledge_chunk WHERE search @@ ${queryOf(term, index + 1)} LIMIT ${most + 1}) AS capped`,
      )
      .join(' UNION ALL '),
    terms.map(({ word }) => word),
  )
  const there = counts.filter(({ found }) => Number(found) > 0)
  const telling = there.filter(({ found }) => Number(found) <= most)
  // PostgreSQL refuses parameters that a statement does not use.
  const weighed = (telling.length > 0 ? telling : there).map(({ term, found }, index) => {
    const known = terms[term] as Term
    return { word: known.word, query: queryOf(known, index + 1), weight: rarity(Number(found), total) }
  })
  if (weighed.length === 0) return []
  const score = weighed
    .map(({ query, weight }) => `${weight} * ts_rank('{0.3,0.3,0.3,1}', c.search, ${query}, 1)`)
    .join(' + ')
  return db.query<Ranked>(
    `SELECT c.id, c.file, ${score} AS score
     FROM knowledge_chunk c JOIN knowledge_file f ON f.id = c.file AND f.version = c.version
     WHERE c.search @@ (${weighed.map(({ query }) => query).join(' || ')})
     AND f.base IN (${placesFrom(weighed.length + 1, bases)})
     ORDER BY score DESC, c.id LIMIT ${RANKED}`,
    [...weighed.map(({ word }) => word), ...bases],
  )
}

const rarity = (found: number, total: number): number => Math.log(1 + Math.max(0, total - found + 0.5) / (found + 0.5))

const placesFrom = (first: number, values: readonly unknown[]): string =>
  values.map((_, index) => `$${first + index}`).join(', ')
