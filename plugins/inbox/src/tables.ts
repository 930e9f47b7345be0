import type { Channel, EndpointChange, MessageRow, Person, Reaction, RequestRow, Segment } from '@mynah/contract/types'
import type { ReplyToken } from '@mynah/plugin-chat/api'
import { entity } from '@mynah/plugin-database/api'
import { counted, Counts } from './counts.js'

const PACKAGE = '@mynah/plugin-inbox'

type MessageState = MessageRow['state']

/** Rows whose handling or sending has not ended. SQLite uses the partial index only for the same condition. */
export const UNFINISHED = "state IN ('received', 'handling', 'draft', 'intent', 'sending')"

/** Outbound rows that were not sent, or may not have arrived. */
export const UNSENT = "state IN ('failed', 'unknown')"

/** Outbound rows with an id on the platform. */
export const SENT = "direction = 'out' AND message_id IS NOT NULL"

/** The sender of an inbound message, as the adapter reported it. */
interface StoredSender extends Person {
  readonly role?: 'owner' | 'admin' | 'member'
  readonly locale?: string
  readonly bot?: boolean
}

export interface StoredMessage {
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly direction: 'in' | 'out'
  /** The platform's id of an inbound message, which is accepted once. */
  readonly inbound_id: string | null
  /** The platform's id; of an outbound message, once it was sent. */
  readonly message_id: string | null
  readonly state: MessageState
  readonly error: string | null
  readonly channel_type: string
  readonly channel_id: string
  readonly parent_type: string | null
  readonly parent_id: string | null
  readonly channel: Channel
  readonly sender: StoredSender
  readonly segments: readonly Segment[]
  readonly text: string
  readonly mentioned: number
  readonly reply_to: string | null
  /** Row of the message that this one answers. */
  readonly answers: string | null
  /** Key of an outbound message, unique for its endpoint. */
  readonly send_key: string | null
  readonly read: number
  readonly timestamp: number
  /** Time before which the platform takes an outbound message, in milliseconds since the epoch. */
  readonly not_before: number | null
  /** When its content was last changed on the platform. As the columns below, absent from new rows. */
  readonly edited_at?: number | null
  readonly deleted_at?: number | null
  readonly reactions?: readonly Reaction[] | null
  /** The right that came with the message that is answered. */
  readonly via?: ReplyToken | null | undefined
  /** The only user who may see it. */
  readonly only_user?: string | null | undefined
  /** When the first attempt to send it began whose outcome is not known. */
  readonly sending_since?: number | null
  readonly sent_parts?: readonly string[] | null
}

const address = { adapter: { type: 'text' }, endpoint: { type: 'text' } } as const

const messagesCounted = counted('message')

/** Messages. */
export const Messages = entity<StoredMessage>({
  package: PACKAGE,
  name: 'message',
  columns: {
    id: { type: 'text', primary: true },
    ...address,
    direction: { type: 'text' },
    inbound_id: { type: 'text', nullable: true },
    message_id: { type: 'text', nullable: true },
    state: { type: 'text' },
    error: { type: 'text', nullable: true },
    channel_type: { type: 'text' },
    channel_id: { type: 'text' },
    parent_type: { type: 'text', nullable: true },
    parent_id: { type: 'text', nullable: true },
    channel: { type: 'simple-json' },
    sender: { type: 'simple-json' },
    segments: { type: 'simple-json' },
    text: { type: 'text' },
    mentioned: { type: 'integer', default: 0 },
    reply_to: { type: 'text', nullable: true },
    answers: { type: 'text', nullable: true },
    send_key: { type: 'text', nullable: true },
    read: { type: 'integer', default: 0 },
    timestamp: { type: 'bigint' },
    not_before: { type: 'bigint', nullable: true },
    edited_at: { type: 'bigint', nullable: true },
    deleted_at: { type: 'bigint', nullable: true },
    reactions: { type: 'simple-json', nullable: true },
    via: { type: 'simple-json', nullable: true, secret: true },
    only_user: { type: 'text', nullable: true },
    sending_since: { type: 'bigint', nullable: true },
    sent_parts: { type: 'simple-json', nullable: true },
  },
  indices: [
    { name: 'message_accepted', columns: ['adapter', 'endpoint', 'inbound_id'], unique: true },
    {
      name: 'message_keyed',
      columns: ['adapter', 'endpoint', 'send_key'],
      unique: true,
      where: 'send_key IS NOT NULL',
    },
    { name: 'message_page', columns: ['adapter', 'endpoint', 'id'] },
    { name: 'message_channel', columns: ['adapter', 'endpoint', 'channel_type', 'channel_id', 'id'] },
    { name: 'message_unread_page', columns: ['adapter', 'endpoint', 'id'], where: 'read = 0' },
    {
      name: 'message_unfinished',
      columns: ['adapter', 'endpoint', 'id'],
      where: UNFINISHED,
    },
    { name: 'message_sent', columns: ['adapter', 'endpoint', 'message_id'], where: SENT },
    { name: 'message_unsent', columns: ['adapter', 'endpoint', 'id'], where: UNSENT },
  ],
  ...messagesCounted,
  // Each of these indices was replaced by one that covers more.
  migrations: [
    ...messagesCounted.migrations,
    { name: 'one-index-of-unread', up: async (db) => void (await db.query('DROP INDEX IF EXISTS message_unread')) },
    { name: 'drafts-are-unfinished', up: async (db) => void (await db.query('DROP INDEX IF EXISTS message_open')) },
  ],
})

export interface StoredRequest {
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly request_id: string
  readonly kind: RequestRow['kind']
  readonly sender: Person
  readonly channel: Channel | null
  readonly comment: string | null
  readonly status: RequestRow['status']
  readonly read: number
  readonly timestamp: number
}

/** Friend and group requests. */
export const Requests = entity<StoredRequest>({
  package: PACKAGE,
  name: 'request',
  columns: {
    id: { type: 'text', primary: true },
    ...address,
    request_id: { type: 'text' },
    kind: { type: 'text' },
    sender: { type: 'simple-json' },
    channel: { type: 'simple-json', nullable: true },
    comment: { type: 'text', nullable: true },
    status: { type: 'text' },
    read: { type: 'integer', default: 0 },
    timestamp: { type: 'bigint' },
  },
  indices: [
    { name: 'request_once', columns: ['adapter', 'endpoint', 'request_id'], unique: true },
    { name: 'request_page', columns: ['adapter', 'endpoint', 'id'] },
  ],
  ...counted('request'),
})

export interface StoredNotice {
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly notice_id: string
  readonly kind: string
  readonly channel: Channel | null
  readonly operator: Person | null
  readonly target: Person | null
  /** JSON text, since a payload may be `null` itself. */
  readonly payload: string
  readonly read: number
  readonly timestamp: number
}

/** Platform notices. */
export const Notices = entity<StoredNotice>({
  package: PACKAGE,
  name: 'notice',
  columns: {
    id: { type: 'text', primary: true },
    ...address,
    notice_id: { type: 'text' },
    kind: { type: 'text' },
    channel: { type: 'simple-json', nullable: true },
    operator: { type: 'simple-json', nullable: true },
    target: { type: 'simple-json', nullable: true },
    payload: { type: 'text' },
    read: { type: 'integer', default: 0 },
    timestamp: { type: 'bigint' },
  },
  indices: [
    { name: 'notice_once', columns: ['adapter', 'endpoint', 'notice_id'], unique: true },
    { name: 'notice_page', columns: ['adapter', 'endpoint', 'id'] },
  ],
  ...counted('notice'),
})

export interface StoredChange {
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly at: number
  readonly status: EndpointChange['status']
  readonly reason: string | null
}

/** Changes of the status of endpoints. */
export const Changes = entity<StoredChange>({
  package: PACKAGE,
  name: 'endpoint_change',
  columns: {
    id: { type: 'text', primary: true },
    ...address,
    at: { type: 'bigint' },
    status: { type: 'text' },
    reason: { type: 'text', nullable: true },
  },
  indices: [{ name: 'endpoint_change_page', columns: ['adapter', 'endpoint', 'id'] }],
})

export interface StoredCursor {
  readonly adapter: string
  readonly endpoint: string
  readonly name: string
  readonly value: string
}

/** Positions of endpoints in what their platforms deliver. */
export const StoredCursors = entity<StoredCursor>({
  package: PACKAGE,
  name: 'endpoint_cursor',
  columns: {
    adapter: { type: 'text', primary: true },
    endpoint: { type: 'text', primary: true },
    name: { type: 'text', primary: true },
    value: { type: 'text' },
  },
})

/** All tables of the message store. The counters come first: the tables that are counted write to them. */
export const TABLES = [Counts, Messages, Requests, Notices, Changes, StoredCursors]
