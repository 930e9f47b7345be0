import { service, type Service } from '@mynah/kernel'
import type {
  Channel,
  EndpointChange,
  MessageRow,
  NoticeRow,
  Parent,
  Reaction,
  RequestRow,
  Segment,
} from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import type { Person } from './message.js'
import type { Cursors, ReplyToken } from './inbound.js'
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
  readonly sender: Person & {
    readonly role?: 'owner' | 'admin' | 'member'
    readonly locale?: string
    readonly bot?: boolean
  }
  readonly segments: readonly Segment[]
  readonly text: string
  readonly mentioned: boolean
  readonly replyTo?: string
  readonly timestamp: number
  /** Whether it is `handled` from the beginning: it is too old to be answered, or of another bot. */
  readonly onlyStored?: boolean
  /** Never leaves the host, except to the platform. */
  readonly via?: ReplyToken
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
  /** Platform id of the message that shows a part of this one already, and is edited. */
  readonly messageId?: string
  /** Time before which the platform takes nothing, in milliseconds since the epoch. */
  readonly notBefore?: number
  /** The right that came with the message that it answers. Never leaves the host, except to the platform. */
  readonly via?: ReplyToken
  /** Id of the only user who may see it. */
  readonly only?: string
  /** When the first attempt began whose outcome is not known, in milliseconds since the epoch. */
  readonly unclearSince?: number
  /** Ids on the platform of the parts that it has taken. */
  readonly sentParts?: readonly string[]
}

/** How far the sending of a message is that waits. */
export type SendProgress = Pick<OutboundRecord, 'unclearSince' | 'sentParts'>

/** How a send ended. */
export type SendOutcome =
  | { readonly state: 'sent'; readonly messageId: string }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }

/** Begins the key of a message that is sent again; the id of the former row follows. */
export const RESEND_PREFIX = 'again/'
/** Returns the key with which an outbound row is sent again, so that this happens once. */
export const resendKey = (id: string): string => `${RESEND_PREFIX}${id}`

/** The state of an outbound row. */
export interface KnownSend extends SendProgress {
  readonly id: string
  readonly state: MessageRow['state']
  /** Id on the platform; empty until there is one. */
  readonly messageId: string
  readonly error?: string
  readonly timestamp: number
  /** The text that a draft shows, or was about to show. */
  readonly text?: string
  /** See {@link OutboundRecord.notBefore}. */
  readonly notBefore?: number
}

/** Data that is written with the state `interrupted` of an inbound message. */
export interface InterruptedNotes {
  readonly event?: Publication | undefined
  /** A message to its sender. */
  readonly notice?: OutboundRecord | undefined
}

/** Decides about the messages that a stop left behind. */
export interface InboundRecoveryPolicy {
  /** Whether a message in the state `handling` may be handled again. */
  mayRepeat(message: InboundRecord): boolean
  /** Returns what is written with the state `interrupted`. `reason` is stored as the error of the row. */
  notesOf(message: InboundRecord, reason: string): InterruptedNotes
}

/** The result of {@link MessageStore.recoverOutbound}. */
export interface RecoveredSends {
  /** Messages to send now, oldest first. */
  readonly intents: readonly OutboundRecord[]
  /** Messages that ended as `failed` or `unknown`. */
  readonly ended: readonly { readonly record: OutboundRecord; readonly state: 'failed' | 'unknown' }[]
  /** The earliest {@link OutboundRecord.notBefore} of those that still wait. */
  readonly nextAt?: number
}

/** Selects a message by its id on the platform. */
export interface MessagePlace extends EndpointKey {
  readonly messageId: string
  /** The channel of the message, or the chat that its thread belongs to. */
  readonly channel: Channel
}

/** Returns whether a message is in the channel of a place, or in a thread of it. */
export function isAt({ channel }: { readonly channel: Channel }, { channel: { type, id } }: MessagePlace): boolean {
  return channel.type === type && (channel.id === id || channel.id.startsWith(`${id}:`))
}

/** The change of the row of a message after it was received or sent. */
export interface MessageChange {
  readonly segments?: readonly Segment[]
  readonly text?: string
  readonly editedAt?: number
  readonly deletedAt?: number
  readonly reactions?: readonly Reaction[]
}

/** Selects stored rows of one endpoint. */
export interface InboxQuery extends EndpointKey {
  readonly channel?: { readonly type: string; readonly id: string }
  readonly parent?: Parent
  readonly limit: number
  /** Id of a row. Only older rows are returned. */
  readonly before?: string
  readonly unreadOnly?: boolean
}
/** A page of stored rows, newest first. */
export interface InboxPage<R> {
  readonly rows: readonly R[]
  readonly total: number
  readonly nextBefore?: string
}
/** How many stored messages, requests and notices are unread. */
export type Unread = { readonly messages: number; readonly requests: number; readonly notices: number }

/**
 * Age from which messages that a stop or an offline endpoint left behind are not handled or sent any more, in
 * milliseconds.
 */
export const RECOVERY_AGE_MS = 5 * 60_000

/**
 * Age from which a draft fails that its owner has not continued, in milliseconds. Its owner may wait for a person that
 * long.
 */
export const DRAFT_AGE_MS = 24 * 60 * 60_000

/** The error of an outbound message that is `unknown`, since a stop came while it was sent. */
export const STOPPED_SENDING = 'the host stopped while this message was being sent'

/**
 * Whether the outcome of an attempt can still be settled. An attempt in the future has an unknown age, since the clock
 * was set back.
 *
 * @param since when the attempt began, in milliseconds since the epoch
 * @param settlesForMs time for which the platform can settle an outcome, in milliseconds
 * @param now in milliseconds since the epoch
 */
export const canBeSettled = (since: number, settlesForMs: number, now: number): boolean =>
  since <= now && now < since + settlesForMs

/**
 * Stores messages and their states. Inbound: received → handling → handled or interrupted. Outbound: draft → intent →
 * sending → sent, failed or unknown. Every change is conditional: it names the states that it starts from and does
 * nothing to a row in another one. Every method may throw while the store is unavailable, and may then have been
 * applied anyway: a second call does no harm. Ids of rows are strings that grow with time. An `event` is
 * published with the commit of its row, and only if the row changed.
 */
export interface MessageStore {
  /** Whether rows survive a restart. */
  readonly durable: boolean
  /** Returns an id for a new row that sorts after all earlier ones. */
  newId(): string
  /**
   * Adds an inbound message as `received`. `fresh` is false where it was accepted before: nothing is added, and `id`
   * is the row of that time; `waits` says that its handling has not started.
   *
   * @param cursors positions of its endpoint that are written with it, in either case
   */
  accept(
    message: InboundRecord,
    event?: Publication,
    cursors?: Cursors,
  ): Awaitable<{ readonly id: string; readonly fresh: boolean; readonly waits?: boolean }>
  /**
   * Received → handling. After a kill, a message in this state is handled again only if it may be repeated.
   *
   * @returns whether this call changed the row; only then may the caller handle the message
   */
  startHandling(id: string): Awaitable<boolean>
  /** Handling → received, for a message whose handling did not start. */
  returnToReceived(id: string): Awaitable<void>
  /** Received or handling → handled. Joins the transaction of the caller. */
  finishHandling(id: string): Awaitable<void>
  /** Returns the rows in the state `received`, oldest first. */
  listReceived(key: EndpointKey, limit: number): Awaitable<readonly InboundRecord[]>
  /**
   * Called after a start. Rows in the state `handling` become `received` where they may be repeated, and else
   * `interrupted`, as old ones in the state `received` do.
   *
   * @returns the rows that became `interrupted`
   */
  recoverInbound(key: EndpointKey, policy: InboundRecoveryPolicy): Awaitable<readonly InboundRecord[]>
  /**
   * Adds a row in the state `intent`, and with it the row `handled` becomes `handled`. Where another row with the same
   * key exists, nothing is added and that row is returned.
   */
  addIntent(message: OutboundRecord, handled?: string): Awaitable<KnownSend | undefined>
  /**
   * Adds a row in the state `draft`, which only its owner continues. Where another row with the same key exists,
   * nothing is added and that row is returned.
   */
  addDraft(message: OutboundRecord): Awaitable<KnownSend | undefined>
  /**
   * Stores what a draft shows on the platform, and its id there. Also for a row that is being sent.
   *
   * @param sentParts ids of the parts that the platform shows in full, where it is sent in parts from here on
   */
  updateDraft(
    id: string,
    messageId: string,
    segments: readonly Segment[],
    text: string,
    sentParts?: readonly string[],
  ): Awaitable<void>
  /**
   * Draft → intent, with what the message says in the end: content, time, and the id of the message that shows a part
   * of it. The age of the intent counts from that time.
   *
   * @returns whether this call changed the row; only then may the caller send the message
   */
  completeDraft(message: OutboundRecord): Awaitable<boolean>
  /**
   * Intent → sending. From here on a crash leaves the row `unknown`, unless the platform shows a part of it already, or
   * can say or ignore that it has the message.
   *
   * @param since when the first attempt begins whose outcome may be unknown, in milliseconds since the epoch. Without
   * it, the outcome cannot be settled
   * @returns whether this call changed the row; only then may the caller send the message
   */
  startSending(id: string, since?: number): Awaitable<boolean>
  /**
   * Sending → intent, for a message that the platform has not taken.
   *
   * @param notBefore time before which the platform takes nothing, in milliseconds since the epoch
   */
  requeue(id: string, notBefore?: number, progress?: SendProgress): Awaitable<void>
  /**
   * Intent → failed, for a message of which the platform has got nothing yet.
   *
   * @returns whether this call changed the row
   */
  withdraw(id: string, error: string, event?: Publication): Awaitable<boolean>
  /** Draft, intent or sending → the outcome. */
  finishSending(id: string, outcome: SendOutcome, event?: Publication): Awaitable<void>
  /**
   * Returns the messages that no work is in progress on. Rows in the state `sending` become an intent where the
   * platform shows a part of them, since an edit may be repeated, or where their outcome can be settled, and else
   * `unknown`. Intents and drafts that are too old become `failed`, or `unknown` where an attempt had no answer.
   *
   * @param eventOf returns the event that is published with an outcome
   * @param settlesForMs time after the first attempt within which its outcome can be settled, in milliseconds
   */
  recoverOutbound(
    key: EndpointKey,
    eventOf: (message: OutboundRecord, outcome: SendOutcome) => Publication | undefined,
    settlesForMs?: number,
  ): Awaitable<RecoveredSends>
  /** Returns the inbound message of a row. */
  findInbound(id: string): Awaitable<InboundRecord | undefined>
  /** Returns the outbound message of a row, and how far it is. */
  findOutbound(
    id: string,
  ): Awaitable<{ readonly record: OutboundRecord; readonly state: MessageRow['state'] } | undefined>
  /**
   * Returns the outbound messages that are `failed` or `unknown`, without those that another row sends again: one with
   * the {@link resendKey}. Only the endpoint of the query counts.
   */
  unsent(query: InboxQuery): Awaitable<InboxPage<MessageRow>>
  /**
   * Changes the row of a message, in one transaction with the decision. The newest row with that id is changed.
   *
   * @param decide returns what changes in the row, or `undefined` where nothing does
   * @param eventOf returns the event of the changed row
   * @returns whether there is such a row, and the row where it was changed
   */
  changeMessage(
    place: MessagePlace,
    decide: (row: MessageRow) => MessageChange | undefined,
    eventOf?: (row: MessageRow) => Publication,
  ): Awaitable<{ readonly isStored: boolean; readonly changed?: MessageRow }>
  /** Returns the value of a cursor of an endpoint. */
  cursor(key: EndpointKey, name: string): Awaitable<string | undefined>
  setCursors(key: EndpointKey, cursors: Cursors): Awaitable<void>
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
export const MessageStore: Service<MessageStore> = service<MessageStore>('message-store', { plugin: 'inbox' })
