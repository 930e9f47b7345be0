// Between rows of the tables and what the agent works with. Text is made fit to be stored: well formed, and without NUL.
import type { Entry, EntryBody, EntryMeta, NewEntry, Session, Turn } from './types.js'
import type { EntryRecord, SessionRecord, TurnRecord } from './tables.js'

/** JSON that every database can hold. */
export function stored(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? wellFormed(inner) : inner))
}

/** Without NUL and without halves of surrogate pairs. */
export function wellFormed(text: string): string {
  let made: string[] | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const pairs =
      code >= 0xd800 && code < 0xdc00 && text.charCodeAt(at + 1) >= 0xdc00 && text.charCodeAt(at + 1) < 0xe000
    if (pairs) {
      made?.push(text.slice(at, at + 2))
      at++
    } else if (code === 0 || (code >= 0xd800 && code < 0xe000)) {
      made ??= [text.slice(0, at)]
      if (code !== 0) made.push('\ufffd')
    } else made?.push(text[at] as string)
  }
  return made ? made.join('') : text
}

const parsed = <T>(text: string): T => JSON.parse(text) as T
const numeric = (value: number | null): number | null => (value === null ? null : Number(value))

export function toSession(row: SessionRecord): Session {
  const { session_key, channel, input, cached, output, cost, leaf, ...rest } = row
  return {
    ...rest,
    key: session_key,
    channel: channel === null ? null : parsed(channel),
    head: Number(row.head),
    leaf: numeric(leaf),
    chosen: Number(row.chosen),
    branch: Number(row.branch),
    messages: Number(row.messages),
    created_at: Number(row.created_at),
    active_at: Number(row.active_at),
    usage: {
      input: Number(input),
      cachedInput: Number(cached),
      output: Number(output),
      ...(cost === null ? {} : { cost: Number(cost) }),
    },
  }
}

export function toEntry({ n, parent, kind, role, content, meta, at }: EntryRecord): Entry {
  return {
    n: Number(n),
    parent: numeric(parent),
    kind,
    ...(role === null ? {} : { role }),
    content: parsed(content),
    meta: parsed<EntryMeta>(meta),
    at: Number(at),
  } as unknown as Entry
}

export function fromEntry(session: string, n: number, parent: number | null, entry: NewEntry, at: number): EntryRecord {
  const { kind, content, meta = {} } = entry
  return {
    session,
    n,
    parent,
    kind,
    role: (entry as Extract<EntryBody, { role: string }>).role ?? null,
    content: stored(content),
    meta: stored(meta),
    at,
  }
}

export function toTurn(row: TurnRecord): Turn {
  return {
    ...row,
    origin: parsed(row.origin),
    chain: parsed(row.chain),
    waiting: row.waiting === null ? null : parsed(row.waiting),
    base: numeric(row.base),
    branch: Number(row.branch),
    started_at: Number(row.started_at),
    ended_at: numeric(row.ended_at),
  } as Turn
}

export function fromTurn(turn: Partial<Turn>): Partial<TurnRecord> {
  const { origin, chain, waiting, ...rest } = turn
  const texts = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, typeof value === 'string' ? wellFormed(value) : value]),
  )
  return {
    ...texts,
    ...(origin === undefined ? {} : { origin: stored(origin) }),
    ...(chain === undefined ? {} : { chain: JSON.stringify(chain) }),
    ...(waiting === undefined ? {} : { waiting: waiting === null ? null : stored(waiting) }),
  }
}

/** How many messages of people and models are among entries. */
export function messagesIn(entries: readonly EntryBody[]): number {
  return entries.filter((entry) => entry.kind === 'message' && entry.role !== 'tool').length
}
