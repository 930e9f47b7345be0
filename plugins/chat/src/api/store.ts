import { service, type Service } from '@mynah/kernel'
import type { Channel, EndpointChange, MessageRow, NoticeRow, Parent, RequestRow, Segment } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import type { Person } from './message.js'
import type { TranscriptQuery } from './points.js'

type Awaitable<T> = T | Promise<T>

/** Identifies an account. */
export interface EndpointKey {
  readonly adapter: string
  readonly endpoint: string
}

/** A message to accept. `(adapter, endpoint, messageId)` is unique among inbound messages. */
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

/** A message to send. */
export interface OutboundRecord extends EndpointKey {
  /** Row id, of {@link MessageStore.newId}. */
  readonly id: string
  readonly channel: Channel
  readonly segments: readonly Segment[]
  readonly text: string
  readonly timestamp: number
  /** Unique for the endpoint. */
  readonly key?: string
  /** Row id of the inbound message that it answers. */
  readonly answers?: string
  /** Platform id of that message. */
  readonly replyTo?: string
}

/** How a send ended. */
export type SendOutcome =
  | { readonly state: 'sent'; readonly messageId: string }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }

/** The state of an outbound row. */
export interface KnownSend {
  readonly id: string
  readonly state: MessageRow['state']
  /** Id on the platform; empty until there is one. */
  readonly messageId: string
  readonly error?: string
  readonly timestamp: number
}

export interface InboxQuery extends EndpointKey {
  readonly channel?: { readonly type: string; readonly id: string }
  readonly parent?: Parent
  readonly limit: number
  /** Id of a row. Only older rows are returned. */
  readonly before?: string
  readonly unreadOnly?: boolean
}
export interface InboxPage<R> {
  readonly rows: readonly R[]
  readonly total: number
  readonly nextBefore?: string
}
export type Unread = { readonly messages: number; readonly requests: number; readonly notices: number }

/**
 * Age from which messages that a stop or an offline endpoint left behind are not handled or sent any more, in
 * milliseconds.
 */
export const RECOVERY_AGE_MS = 5 * 60_000

/**
 * Stores messages and their states. Inbound: received → handling → handled or interrupted. Outbound: intent →
 * sending → sent, failed or unknown. Every method may throw while the store is unavailable. Ids of rows are strings
 * that grow with time. An `event` is published with the commit of its row.
 */
export interface MessageStore {
  /** Whether rows survive a restart. */
  readonly durable: boolean
  /** Returns an id for a new row that sorts after all earlier ones. */
  newId(): string
  /**
   * Adds an inbound message as `received`. `fresh` is false where it was accepted before: nothing is added, and `id`
   * is the row of that time.
   */
  accept(message: InboundRecord, event?: Publication): Awaitable<{ readonly id: string; readonly fresh: boolean }>
  /**
   * Received → handling, unless the row is in another state already. A message in this state is never handled again.
   *
   * @returns whether this call changed the row; only then may the caller handle the message
   */
  startHandling(id: string): Awaitable<boolean>
  /** Handling → handled. Joins the transaction of the caller. */
  finishHandling(id: string): Awaitable<void>
  /** Returns the rows in the state `received`, oldest first. */
  listReceived(key: EndpointKey, limit: number): Awaitable<readonly InboundRecord[]>
  /**
   * Called after a start. Rows in the state `handling`, and old ones in the state `received`, become `interrupted`.
   */
  recoverInbound(key: EndpointKey): Awaitable<void>
  /**
   * Adds a row in the state `intent`, and with it the row `handled` becomes `handled`. Where a row with the same key
   * exists, nothing is added and that row is returned.
   */
  addIntent(message: OutboundRecord, handled?: string): Awaitable<KnownSend | undefined>
  /** Intent → sending. From here on a crash leaves the row `unknown`. */
  startSending(id: string): Awaitable<void>
  /** Sending → intent, for when the endpoint is online again. */
  requeue(id: string): Awaitable<void>
  /** Stores what a draft shows on the platform, and its id there. */
  updateDraft(id: string, messageId: string, segments: readonly Segment[], text: string): Awaitable<void>
  /** Puts a row with a key back into the state `sending`. */
  reopen(id: string): Awaitable<void>
  finishSending(id: string, outcome: SendOutcome, event?: Publication): Awaitable<void>
  /**
   * Returns the intents that no work is in progress on, oldest first. Too old ones become `failed`, and rows in the
   * state `sending` become `unknown`.
   */
  recoverOutbound(key: EndpointKey): Awaitable<readonly OutboundRecord[]>
  /** Returns the inbound message of a row. */
  findInbound(id: string): Awaitable<InboundRecord | undefined>
  transcript(query: TranscriptQuery): Awaitable<readonly MessageRow[]>
  messages(query: InboxQuery): Awaitable<InboxPage<MessageRow>>
  /** Adds a request, unless it was added before. Returns its row. */
  addRequest(
    key: EndpointKey,
    request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>,
    event?: (row: RequestRow) => Publication,
  ): Awaitable<{ readonly row: RequestRow; readonly fresh: boolean }>
  requests(query: InboxQuery & { readonly pendingOnly?: boolean }): Awaitable<InboxPage<RequestRow>>
  /** Returns the request with that id on the platform. */
  findRequest(key: EndpointKey, requestId: string): Awaitable<RequestRow | undefined>
  answerRequest(key: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): Awaitable<void>
  addNotice(
    key: EndpointKey,
    notice: Omit<NoticeRow, 'id' | 'read'>,
    event?: (row: NoticeRow) => Publication,
  ): Awaitable<{ readonly row: NoticeRow; readonly fresh: boolean }>
  notices(query: InboxQuery): Awaitable<InboxPage<NoticeRow>>
  /** Marks rows as read. Returns how many were unread. */
  consume(key: EndpointKey, kind: 'messages' | 'requests' | 'notices', ids: readonly string[]): Awaitable<number>
  unread(key: EndpointKey): Awaitable<Unread>
  /** Adds a change of an endpoint's status. */
  addChange(key: EndpointKey, change: EndpointChange): Awaitable<void>
  /** Returns the last 100 changes, newest first. */
  changes(key: EndpointKey): Awaitable<readonly EndpointChange[]>
}
export const MessageStore: Service<MessageStore> = service<MessageStore>('message-store')
