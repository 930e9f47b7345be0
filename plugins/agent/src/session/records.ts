// Maps between the database rows, the domain types and the exported form of an entry.
import { THINKING_LEVELS } from '@mynah/plugin-ai/api'
import type { Entry, EntryBody, EntryMeta, NewEntry, Session, Turn } from './types.js'
import type { EntryRecord, SessionRecord, TurnRecord } from './tables.js'

/** Returns JSON that every database can hold: its strings are well formed and have no NUL. */
export function stored(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner))
}

/** Returns the text without NUL and with U+FFFD in place of each half of a surrogate pair. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

const parsed = <T>(text: string): T => JSON.parse(text) as T
const numeric = (value: number | null): number | null => (value === null ? null : Number(value))

/** Returns the kind of an entry as rows and the wire name it. */
export const storedKind = (kind: Entry['kind']): string => (kind === 'prompt' ? 'head' : kind)
const domainKind = (kind: string): string => (kind === 'head' ? 'prompt' : kind)

export function toSession(row: SessionRecord): Session {
  return {
    id: row.id,
    key: row.session_key,
    state: row.state,
    title: row.title,
    adapter: row.adapter,
    endpoint: row.endpoint,
    channel: row.channel === null ? null : parsed(row.channel),
    lastSeq: Number(row.head),
    leaf: numeric(row.leaf),
    isPinned: Number(row.chosen) !== 0,
    branchVersion: Number(row.branch),
    messages: Number(row.messages),
    usage: {
      input: Number(row.input),
      cachedInput: Number(row.cached),
      output: Number(row.output),
      ...(row.cost === null ? {} : { cost: Number(row.cost) }),
    },
    model: row.model,
    thinking: THINKING_LEVELS.find((level) => level === row.thinking) ?? null,
    createdAt: Number(row.created_at),
    activeAt: Number(row.active_at),
  }
}

export function toEntry({ n, parent, kind, role, content, meta, at }: EntryRecord): Entry {
  return {
    seq: Number(n),
    parent: numeric(parent),
    kind: domainKind(kind),
    ...(role === null ? {} : { role }),
    content: parsed(content),
    meta: parsed<EntryMeta>(meta),
    at: Number(at),
  } as unknown as Entry
}

export function fromEntry(
  session: string,
  seq: number,
  parent: number | null,
  entry: NewEntry,
  at: number,
): EntryRecord {
  const { kind, content, meta = {} } = entry
  return {
    session,
    n: seq,
    parent,
    kind: storedKind(kind),
    role: (entry as Extract<EntryBody, { role: string }>).role ?? null,
    content: stored(content),
    meta: stored(meta),
    at,
  }
}

/** Returns an entry with the field names and the kind that `agent:export` has on the wire. */
export function exportedEntry({ seq, parent, kind, ...rest }: Entry): Record<string, unknown> {
  return { n: seq, parent, kind: storedKind(kind), ...rest }
}

export function toTurn(row: TurnRecord): Turn {
  return {
    id: row.id,
    session: row.session,
    sessionKey: row.session_key,
    row: row.row,
    askKey: row.ask_key,
    agent: row.agent,
    origin: parsed(row.origin),
    state: row.state as Turn['state'],
    stage: row.stage,
    step: row.step,
    model: row.model,
    text: row.text,
    baseSeq: numeric(row.base),
    branchVersion: Number(row.branch),
    entrySeqs: parsed(row.chain),
    waiting: row.waiting === null ? null : parsed(row.waiting),
    answer: row.answer,
    attempts: row.starts,
    claim: Number(row.claim),
    error: row.error,
    startedAt: Number(row.started_at),
    endedAt: numeric(row.ended_at),
    ...(row.host ? { host: row.host } : {}),
  }
}

/** The column of each field of a turn that is not named like its column. */
const TURN_COLUMNS: Partial<Record<keyof Turn, keyof TurnRecord>> = {
  sessionKey: 'session_key',
  askKey: 'ask_key',
  baseSeq: 'base',
  branchVersion: 'branch',
  entrySeqs: 'chain',
  attempts: 'starts',
  startedAt: 'started_at',
  endedAt: 'ended_at',
}

/** Returns the columns of the fields that are given. */
export function fromTurn(turn: Partial<Turn>): Partial<TurnRecord> {
  const row: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(turn)) {
    if (value === undefined) continue
    const column = TURN_COLUMNS[field as keyof Turn] ?? field
    if (typeof value === 'string') row[column] = storable(value)
    else row[column] = typeof value === 'object' && value !== null ? stored(value) : value
  }
  return row
}

/** Counts the messages of people and models. */
export function messagesIn(entries: readonly EntryBody[]): number {
  return entries.filter((entry) => entry.kind === 'message' && entry.role !== 'tool').length
}
