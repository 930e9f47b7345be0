import { WireError } from '@mynah/contract'
import { omitUndefined } from '@mynah/kernel/util'
import type { FoundRow } from '../contract.js'
import { JOB_SESSION } from '../job-session.js'
import { excerptOf, saidIn, searchWords } from './said.js'
import { previewOf } from './trees.js'
import type { Entry, SaidPlace, Session, SessionStore } from './types.js'

type Redact = (text: string) => string

/** Returns what sessions are about, by their ids: the name of a job, else the first words of a person in it. */
export async function subjectsOf(
  store: SessionStore,
  sessions: readonly Session[],
  redact: Redact,
): Promise<ReadonlyMap<string, string>> {
  const first = await store.firstMessages(sessions.map(({ id }) => id))
  const subjectOf = ({ id, key, title }: Session): string => {
    if (key.startsWith(JOB_SESSION) && title) return title
    const entry = first.get(id)
    return entry ? redact(previewOf(entry)) : ''
  }
  return new Map(
    sessions.flatMap((session) => {
      const subject = subjectOf(session)
      return subject ? [[session.id, subject] as const] : []
    }),
  )
}

/**
 * Searches what was said.
 *
 * @throws `invalid_request` where `before` is no place of a search
 */
export async function searchSessions(
  store: SessionStore,
  redact: Redact,
  { text, limit, before }: { readonly text: string; readonly limit: number; readonly before?: string },
): Promise<{ readonly found: FoundRow[]; readonly nextBefore?: string }> {
  const words = searchWords(text)
  const { found, next } = await store.search({
    words,
    limit,
    ...(before === undefined ? {} : { after: placeOf(before) }),
  })
  const ids = [...new Set(found.map(({ session }) => session))]
  const sessions = (await Promise.all(ids.map((id) => store.byId(id)))).filter((session) => session !== undefined)
  const subjects = await subjectsOf(store, sessions, redact)
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const rows = found.flatMap(({ session: id, entry }) => {
    const session = byId.get(id)
    return session ? [foundRow(session, entry, words, subjects.get(id), redact)] : []
  })
  return next ? { found: rows, nextBefore: `${next.session}/${next.seq}` } : { found: rows }
}

const foundRow = (
  session: Session,
  entry: Entry,
  words: readonly string[],
  subject: string | undefined,
  redact: Redact,
): FoundRow => ({
  ...omitUndefined({
    sessionKey: session.key,
    sessionId: session.id,
    state: session.state,
    title: session.title ?? undefined,
    subject,
    entryId: entry.seq,
    role: 'role' in entry && entry.role === 'user' ? ('user' as const) : ('assistant' as const),
    sender: entry.meta.sender,
    timestamp: entry.at,
  }),
  ...excerptOf(redact(saidIn(entry) ?? ''), words),
})

function placeOf(before: string): SaidPlace {
  const [, session, seq] = /^([^/]+)\/(\d{1,15})$/.exec(before) ?? []
  if (session === undefined) {
    throw new WireError('invalid_request', 'This is no place of a search', {
      details: [{ path: 'before', message: 'must be `nextBefore` of the call before' }],
    })
  }
  return { session, seq: Number(seq) }
}
