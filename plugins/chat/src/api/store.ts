// The port behind which messages are kept: inbox, outbox, transcript and inbox page at once.
import { service, type Service } from '@mynah/kernel'
import type { Channel, MessageRow, NoticeRow, Parent, RequestRow, Segment } from '@mynah/contract/types'
import type { Person } from './message.js'

type Awaitable<T> = T | Promise<T>

/** Which account. */
export interface EndpointKey { readonly adapter: string; readonly endpoint: string }

/** A message to be accepted; `(adapter, endpoint, messageId)` is unique among inbound ones. */
export interface InboundRecord extends EndpointKey {
  readonly messageId: string
  readonly channel: Channel
  readonly sender: Person & { readonly role?: 'owner' | 'admin' | 'member'; readonly locale?: string }
  readonly segments: readonly Segment[]
  readonly text: string
  readonly mentioned: boolean
  readonly replyTo?: string
  readonly timestamp: number
}

/** A message about to be sent. */
export interface OutboundRecord extends EndpointKey {
  readonly channel: Channel
  readonly segments: readonly Segment[]
  readonly text: string
  readonly timestamp: number
  /** Row id of the inbound message that it answers. */
  readonly answers?: string
}

/** What became of a sending. */
export type SendOutcome =
  | { readonly state: 'sent'; readonly messageId: string }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }

export interface InboxQuery extends EndpointKey {
  readonly channel?: { readonly type: string; readonly id: string }
  readonly parent?: Parent
  readonly limit: number
  /** A row id: only older ones. */
  readonly before?: string
  readonly unreadOnly?: boolean
}
export interface InboxPage<R> { readonly rows: readonly R[]; readonly total: number; readonly nextBefore?: string }
export type Unread = { readonly messages: number; readonly requests: number; readonly notices: number }

/**
 * In: received → handling → handled. Out: intent → sending → sent, failed or unknown. Every method may throw when the store
 * is away; ids of rows are strings that grow with time.
 */
export interface MessageStore {
  /** Whether rows survive a restart. */
  readonly durable: boolean
  /** Keeps an inbound message. `fresh` is false when it was accepted before; then nothing is kept. */
  accept(message: InboundRecord): Awaitable<{ readonly id: string; readonly fresh: boolean }>
  /** Its handling begins. Once this has resolved it never begins again. */
  handling(id: string): Awaitable<void>
  handled(id: string): Awaitable<void>
  /** After a start: what was received in the last 5 minutes and never handled, oldest first; what was being handled becomes `interrupted`. */
  recover(key: EndpointKey): Awaitable<readonly (InboundRecord & { readonly id: string })[]>
  /** Keeps the intent to send and gives its row id. */
  intend(message: OutboundRecord): Awaitable<string>
  /** The adapter is called next: from here on a crash leaves the row `unknown`. */
  sending(id: string): Awaitable<void>
  sent(id: string, outcome: SendOutcome): Awaitable<void>
  /** After a start: intents of the last 5 minutes that never reached the adapter, oldest first; what was being sent becomes `unknown`. */
  recoverSends(key: EndpointKey): Awaitable<readonly (OutboundRecord & { readonly id: string })[]>
  messages(query: InboxQuery): Awaitable<InboxPage<MessageRow>>
  /** Keeps a request once; gives its row. */
  addRequest(key: EndpointKey, request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>): Awaitable<{ readonly row: RequestRow; readonly fresh: boolean }>
  requests(query: InboxQuery & { readonly pendingOnly?: boolean }): Awaitable<InboxPage<RequestRow>>
  /** The request of that platform id. */
  request(key: EndpointKey, requestId: string): Awaitable<RequestRow | undefined>
  answerRequest(key: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): Awaitable<void>
  addNotice(key: EndpointKey, notice: Omit<NoticeRow, 'id' | 'read'>): Awaitable<{ readonly row: NoticeRow; readonly fresh: boolean }>
  notices(query: InboxQuery): Awaitable<InboxPage<NoticeRow>>
  /** Marks rows as read and gives how many were unread. */
  consume(key: EndpointKey, kind: 'messages' | 'requests' | 'notices', ids: readonly string[]): Awaitable<number>
  unread(key: EndpointKey): Awaitable<Unread>
}
export const MessageStore: Service<MessageStore> = service<MessageStore>('message-store')
