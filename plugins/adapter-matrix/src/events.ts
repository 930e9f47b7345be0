import { Channel, Content, Id, isRecord, Person } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { hasNul } from '@mynah/plugin-chat/api'

/** An event of a room as far as it was checked. Everything in `content` is as its sender wrote it. */
export interface RoomEvent {
  readonly id: string
  readonly type: string
  readonly sender: string
  readonly content: Record<string, unknown>
  /** Present in events that set the state of a room. */
  readonly stateKey: unknown
  /** The event that this one deletes. */
  readonly redacts: unknown
  /** Whether its content was deleted. */
  readonly isRedacted: boolean
  /** When it was sent, in milliseconds since the epoch by the clock of this host. */
  readonly timestamp: number
  readonly unsigned: Record<string, unknown>
}

const ID = /^\$[\x21-\x7e]{1,254}$/
const USER = /^@[^\s:]{1,200}:[\x21-\x7e]{1,200}$/
const LATEST = 8_640_000_000_000_000

export const isEventId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)
export const isUserId = (value: unknown): value is string => typeof value === 'string' && USER.test(value)
export const isRoomId = (value: unknown): value is string =>
  typeof value === 'string' && /^![\x21-\x7e]{1,254}$/.test(value)

/** Returns a value as an event, or undefined. */
export function eventOf(value: unknown, now: number): RoomEvent | undefined {
  if (!isRecord(value)) return undefined
  const { event_id: id, type, sender, origin_server_ts: at, state_key: stateKey } = value
  if (!isEventId(id) || !isUserId(sender) || typeof type !== 'string' || type.length > 255) return undefined
  const content = isRecord(value['content']) ? value['content'] : {}
  const unsigned = isRecord(value['unsigned']) ? value['unsigned'] : {}
  // By the age, since the clock of the homeserver may be wrong.
  const age = unsigned['age']
  const sent = typeof age === 'number' && age >= 0 ? now - age : at
  const timestamp = typeof sent === 'number' && sent >= 0 && sent <= LATEST ? Math.round(sent) : now
  const redacts = value['redacts'] ?? content['redacts']
  return {
    id,
    type,
    sender,
    content,
    stateKey,
    redacts,
    isRedacted: 'redacted_because' in unsigned,
    timestamp,
    unsigned,
  }
}

/** Returns what an event says about another one: `m.replace`, `m.thread`, `m.annotation`, or an answer. */
export function relationOf({ content }: Pick<RoomEvent, 'content'>): {
  readonly kind: string
  readonly target: string | undefined
  readonly answers: string | undefined
  readonly key: string | undefined
} {
  const relation = isRecord(content['m.relates_to']) ? content['m.relates_to'] : {}
  const { rel_type: kind, event_id: target, key, is_falling_back: isFallback } = relation
  const answered = isRecord(relation['m.in_reply_to']) ? relation['m.in_reply_to']['event_id'] : undefined
  return {
    kind: typeof kind === 'string' ? kind : '',
    target: isEventId(target) ? target : undefined,
    // Clients without threads are shown each message of one as an answer to the last.
    answers: isEventId(answered) && isFallback !== true ? answered : undefined,
    key: typeof key === 'string' && key !== '' ? key.slice(0, 128) : undefined,
  }
}

const Checked = Type.Object({
  channel: Type.Optional(Channel),
  sender: Type.Optional(Person),
  content: Type.Optional(Content),
  messageId: Type.Optional(Id),
})

/** Returns what keeps a report from being stored, or undefined. NUL characters are refused by PostgreSQL. */
export function mistakeIn(report: object): string | undefined {
  const [first] = mistakesIn(Checked, report)
  if (first) return `${first.path} ${first.message}`
  return hasNul(report) ? 'it has NUL characters' : undefined
}
