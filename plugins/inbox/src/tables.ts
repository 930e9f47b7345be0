// The tables: one of messages, which is durable inbox, outbox, transcript and inbox page at once; requests; notices.
import type { Channel, Person, RequestRow, Segment } from '@mynah/contract/types'
import { entity } from '@mynah/plugin-database/api'

const PACKAGE = '@mynah/plugin-inbox'

/** In: received → handling → handled, or interrupted by a stop. Out: intent → sending → sent, failed or unknown. */
export type MessageState = 'received' | 'handling' | 'handled' | 'interrupted' | 'intent' | 'sending' | 'sent' | 'failed' | 'unknown'

/** Who wrote an inbound message, as the adapter told it. */
export interface StoredSender extends Person { readonly role?: 'owner' | 'admin' | 'member'; readonly locale?: string }

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
  readonly read: number
  readonly timestamp: number
}

const address = { adapter: { type: 'text' }, endpoint: { type: 'text' } } as const

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
    read: { type: 'integer', default: 0 },
    timestamp: { type: 'bigint' },
  },
  indices: [
    { name: 'message_accepted', columns: ['adapter', 'endpoint', 'inbound_id'], unique: true },
    { name: 'message_page', columns: ['adapter', 'endpoint', 'id'] },
    { name: 'message_channel', columns: ['adapter', 'endpoint', 'channel_type', 'channel_id', 'id'] },
    { name: 'message_unread', columns: ['adapter', 'endpoint'], where: 'read = 0' },
    { name: 'message_open', columns: ['adapter', 'endpoint', 'id'], where: "state IN ('received', 'handling', 'intent', 'sending')" },
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
})
