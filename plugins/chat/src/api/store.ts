// The port behind which messages are kept: inbox, outbox, transcript and inbox page at once.
import { service, type Service } from '@mynah/kernel'
import type { Channel, EndpointChange, MessageRow, NoticeRow, Parent, RequestRow, Segment } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import type { Person } from './message.js'
import type { TranscriptQuery } from './points.js'

type Awaitable<T> = T | Promise<T>

/** Which account. */
export interface EndpointKey {
  readonly adapter: string
  readonly endpoint: string
}

/** A message to be accepted; `(adapter, endpoint, messageId)` is unique among inbound ones. */
export interface InboundRecord extends EndpointKey {
  /** Row id, of {@link MessageStore.newId}. */
  readonly id: string
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
  /** Row id, of {@link MessageStore.newId}. */
  readonly id: string
  readonly channel: Channel
  readonly segments: readonly Segment[]
  readonly text: string
  readonly timestamp: number
  /** Unique for the endpoint where given. */
  readonly key?: string
  /** Row id of the inbound message that it answers. */
  readonly answers?: string
  /** Platform id of that message. */
  readonly replyTo?: string
}

/** What became of a sending. */
export type SendOutcome =
  | { readonly state: 'sent'; readonly messageId: string }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }

/** An outbound row as it stands. */
export interface KnownSend {
  readonly id: string
  readonly state: MessageRow['state']
  /** Empty until the platform gave one. */
  readonly messageId: string
  readonly error?: string
  readonly timestamp: number
}

export interface InboxQuery extends EndpointKey {
  readonly channel?: { readonly type: string; readonly id: string }
  readonly parent?: Parent
  readonly limit: number
  /** A row id: only older ones. */
  readonly before?: string
  readonly unreadOnly?: boolean
}
export interface InboxPage<R> {
  readonly rows: readonly R[]
  readonly total: number
  readonly nextBefore?: string
}
export type Unread = { readonly messages: number; readonly requests: number; readonly notices: number }

/** Older than this, what a stop or an absence left behind is no longer handled or sent, ms. */
export const RECOVERY_AGE_MS = 5 * 60_000

/**
 * In: received → handling → handled. Out: intent → sending → sent, failed or unknown. Every method may throw when the store
 * is away; ids of rows are strings that grow with time. An `event` is published with the commit of what it tells.
 */
export interface MessageStore {
  /** Whether rows survive a restart. */
  readonly durable: boolean
  /** An id for a new row; it sorts after all earlier ones. */
  newId(): string
  /** Keeps an inbound message. `fresh` is false when it was accepted before; then nothing is kept, and `id` is that of then. */
  accept(message: InboundRecord, event?: Publication): Awaitable<{ readonly id: string; readonly fresh: boolean }>
  /** Its handling begins. Once this has resolved it never begins again. */
  startHandling(id: string): Awaitable<void>
  /** Its handling has ended; joins the caller's transaction. */
  finishHandling(id: string): Awaitable<void>
  /** What was received and not begun, oldest first. */
  listReceived(key: EndpointKey, limit: number): Awaitable<readonly InboundRecord[]>
  /** After a start: what was being handled, and what was received too long ago, becomes `interrupted`. */
  recoverInbound(key: EndpointKey): Awaitable<void>
  /** Keeps the intent to send, and with it that `handled` has been handled; gives what stands under its key already, and keeps nothing then. */
  addIntent(message: OutboundRecord, handled?: string): Awaitable<KnownSend | undefined>
  /** The adapter is called next: from here on a crash leaves the row `unknown`. */
  startSending(id: string): Awaitable<void>
  /** It did not leave: it is an intent again, for when its endpoint is back. */
  requeue(id: string): Awaitable<void>
  /** A draft stands on the platform: from here on the row says what it says, and where. */
  updateDraft(id: string, messageId: string, segments: readonly Segment[], text: string): Awaitable<void>
  /** A row that stands under a key is worked on again, as `sending`. */
  reopen(id: string): Awaitable<void>
  finishSending(id: string, outcome: SendOutcome, event?: Publication): Awaitable<void>
  /** Intents that nobody works on, oldest first; those that are too old become `failed`, what was being sent `unknown`. */
  recoverOutbound(key: EndpointKey): Awaitable<readonly OutboundRecord[]>
  /** The inbound message of that row. */
  findInbound(id: string): Awaitable<InboundRecord | undefined>
  transcript(query: TranscriptQuery): Awaitable<readonly MessageRow[]>
  messages(query: InboxQuery): Awaitable<InboxPage<MessageRow>>
  /** Keeps a request once; gives its row. */
  addRequest(
    key: EndpointKey,
    request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>,
    event?: (row: RequestRow) => Publication,
  ): Awaitable<{ readonly row: RequestRow; readonly fresh: boolean }>
  requests(query: InboxQuery & { readonly pendingOnly?: boolean }): Awaitable<InboxPage<RequestRow>>
  /** The request of that platform id. */
  findRequest(key: EndpointKey, requestId: string): Awaitable<RequestRow | undefined>
  answerRequest(key: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): Awaitable<void>
  addNotice(
    key: EndpointKey,
    notice: Omit<NoticeRow, 'id' | 'read'>,
    event?: (row: NoticeRow) => Publication,
  ): Awaitable<{ readonly row: NoticeRow; readonly fresh: boolean }>
  notices(query: InboxQuery): Awaitable<InboxPage<NoticeRow>>
  /** Marks rows as read and gives how many were unread. */
  consume(key: EndpointKey, kind: 'messages' | 'requests' | 'notices', ids: readonly string[]): Awaitable<number>
  unread(key: EndpointKey): Awaitable<Unread>
  /** Keeps a change of an endpoint's status. */
  addChange(key: EndpointKey, change: EndpointChange): Awaitable<void>
  /** The last 100 changes, newest first. */
  changes(key: EndpointKey): Awaitable<readonly EndpointChange[]>
}
export const MessageStore: Service<MessageStore> = service<MessageStore>('message-store')
