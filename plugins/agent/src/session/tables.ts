import { entity } from '@mynah/database-api'

const PACKAGE = '@mynah/plugin-agent'

export interface SessionRecord {
  readonly id: string
  readonly session_key: string
  readonly state: 'active' | 'archived'
  readonly title: string | null
  readonly adapter: string
  readonly endpoint: string
  readonly channel: string | null
  readonly head: number
  readonly leaf: number | null
  readonly chosen: number
  readonly branch: number
  readonly messages: number
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly cost: number | null
  /** `alias:model` of a choice. */
  readonly model: string | null
  readonly thinking: string | null
  readonly created_at: number
  readonly active_at: number
}

/** Sessions. A key has at most one active epoch. */
export const Sessions = entity<SessionRecord>({
  package: PACKAGE,
  name: 'agent_session',
  columns: {
    id: { type: 'text', primary: true },
    session_key: { type: 'text' },
    state: { type: 'text' },
    title: { type: 'text', nullable: true },
    adapter: { type: 'text' },
    endpoint: { type: 'text' },
    channel: { type: 'text', nullable: true },
    head: { type: 'bigint', default: 0 },
    leaf: { type: 'bigint', nullable: true },
    chosen: { type: 'integer', default: 0 },
    branch: { type: 'bigint', default: 0 },
    messages: { type: 'bigint', default: 0 },
    input: { type: 'bigint', default: 0 },
    cached: { type: 'bigint', default: 0 },
    output: { type: 'bigint', default: 0 },
    cost: { type: 'real', nullable: true },
    model: { type: 'text', nullable: true },
    thinking: { type: 'text', nullable: true },
    created_at: { type: 'bigint' },
    active_at: { type: 'bigint' },
  },
  indices: [
    { name: 'agent_session_active', columns: ['session_key'], unique: true, where: "state = 'active'" },
    { name: 'agent_session_recent', columns: ['active_at'] },
  ],
})

export interface EntryRecord {
  readonly session: string
  readonly n: number
  readonly parent: number | null
  readonly kind: string
  readonly role: string | null
  readonly content: string
  readonly meta: string
  readonly at: number
}

/** Entries of sessions. Rows are only added; `parent` alone changes, when a turn closes. */
export const Entries = entity<EntryRecord>({
  package: PACKAGE,
  name: 'agent_entry',
  columns: {
    session: { type: 'text', primary: true },
    n: { type: 'bigint', primary: true },
    parent: { type: 'bigint', nullable: true },
    kind: { type: 'text' },
    role: { type: 'text', nullable: true },
    content: { type: 'text' },
    meta: { type: 'text' },
    at: { type: 'bigint' },
  },
  indices: [{ name: 'agent_entry_parent', columns: ['session', 'parent'] }],
})

export interface TurnRecord {
  readonly id: string
  readonly session: string
  readonly session_key: string
  readonly row: string | null
  readonly ask_key: string | null
  readonly agent: string
  readonly origin: string
  readonly state: string
  readonly stage: string
  readonly step: number
  readonly model: string | null
  readonly text: string
  readonly base: number | null
  readonly branch: number
  readonly chain: string
  readonly waiting: string | null
  readonly answer: string | null
  readonly starts: number
  readonly claim: number
  readonly error: string | null
  readonly started_at: number
  readonly ended_at: number | null
  readonly host: string | null
}

/** The journal of turns. */
export const TurnRecords = entity<TurnRecord>({
  package: PACKAGE,
  name: 'agent_turn',
  columns: {
    id: { type: 'text', primary: true },
    session: { type: 'text' },
    session_key: { type: 'text' },
    row: { type: 'text', nullable: true },
    ask_key: { type: 'text', nullable: true },
    agent: { type: 'text' },
    origin: { type: 'text' },
    state: { type: 'text' },
    stage: { type: 'text' },
    step: { type: 'integer' },
    model: { type: 'text', nullable: true },
    text: { type: 'text' },
    base: { type: 'bigint', nullable: true },
    branch: { type: 'bigint' },
    chain: { type: 'text' },
    waiting: { type: 'text', nullable: true },
    answer: { type: 'text', nullable: true },
    starts: { type: 'integer' },
    claim: { type: 'integer', default: 0 },
    error: { type: 'text', nullable: true },
    started_at: { type: 'bigint' },
    ended_at: { type: 'bigint', nullable: true },
    host: { type: 'text', nullable: true },
  },
  indices: [
    { name: 'agent_turn_key', columns: ['ask_key'], unique: true, where: 'ask_key IS NOT NULL' },
    { name: 'agent_turn_open', columns: ['id'], where: 'ended_at IS NULL' },
    { name: 'agent_turn_row', columns: ['row'], where: 'row IS NOT NULL' },
  ],
})

export interface UsageRecord {
  readonly day: string
  readonly adapter: string
  readonly endpoint: string
  readonly user_id: string
  readonly provider: string
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly cost: number | null
}

/** The usage of models, by day and user. */
export const UsageRecords = entity<UsageRecord>({
  package: PACKAGE,
  name: 'ai_usage',
  columns: {
    day: { type: 'text', primary: true },
    adapter: { type: 'text', primary: true },
    endpoint: { type: 'text', primary: true },
    user_id: { type: 'text', primary: true },
    provider: { type: 'text', primary: true },
    model: { type: 'text', primary: true },
    calls: { type: 'bigint' },
    input: { type: 'bigint' },
    cached: { type: 'bigint' },
    output: { type: 'bigint' },
    cost: { type: 'real', nullable: true },
  },
})
