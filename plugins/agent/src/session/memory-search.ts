import { saysAll } from './said.js'
import { isAt } from './session-places.js'
import type { Entry, SaidPage, SaidQuery, Session, SessionQuery } from './types.js'

/** The entries of sessions by id and number. */
export type EntriesInMemory = ReadonlyMap<string, ReadonlyMap<number, Entry>>

/** The last active first. */
const byActivity = (a: Session, b: Session): number => b.activeAt - a.activeAt || (a.id < b.id ? 1 : -1)

const listOf = (entries: EntriesInMemory, session: string): readonly Entry[] => [
  ...(entries.get(session)?.values() ?? []),
]

/** Returns a page of sessions by state, place, and part of their key or title. */
export function listSessions(
  sessions: Iterable<Session>,
  { filter, state, at, limit, before }: SessionQuery,
): { readonly rows: readonly Session[]; readonly total: number } {
  const wanted = filter?.toLowerCase()
  const all = [...sessions]
    .filter(
      (session) =>
        (!state || session.state === state) &&
        (!at || isAt(at, session)) &&
        (!wanted || session.key.toLowerCase().includes(wanted) || session.title?.toLowerCase().includes(wanted)),
    )
    .sort(byActivity)
  const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1
  return { rows: all.slice(from, from + limit).map((session) => ({ ...session })), total: all.length }
}

/** Searches what was said in sessions that are in memory. */
export function searchSaid(
  sessions: Iterable<Session>,
  entries: EntriesInMemory,
  { words, limit, after }: SaidQuery,
): SaidPage {
  const ordered = [...sessions].sort(byActivity)
  const from = after ? ordered.findIndex(({ id }) => id === after.session) : 0
  if (from < 0) return { found: [] }
  const found: { session: string; entry: Entry }[] = []
  for (const { id } of ordered.slice(from)) {
    for (const entry of [...listOf(entries, id)].reverse()) {
      if ((id === after?.session && entry.seq >= after.seq) || !saysAll(entry, words)) continue
      found.push({ session: id, entry })
      if (found.length === limit) return { found, next: { session: id, seq: entry.seq } }
    }
  }
  return { found }
}

/** Returns the first message of a person in each of the sessions that has one. */
export const firstMessages = (sessions: readonly string[], entries: EntriesInMemory): ReadonlyMap<string, Entry> =>
  new Map(
    sessions.flatMap((id) => {
      const entry = listOf(entries, id).find(
        ({ kind, ...rest }) => kind === 'message' && 'role' in rest && rest.role === 'user',
      )
      return entry ? [[id, entry] as const] : []
    }),
  )
