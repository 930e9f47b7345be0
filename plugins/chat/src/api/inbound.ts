import type { Content, RequestRow } from '@mynah/contract/types'
import type { Locale } from './languages.js'
import type { Channel, Person } from './message.js'

/** A message that an adapter received. */
export interface InboundMessage {
  /** Id on the platform, or one made by the adapter where the platform gives none. */
  readonly id: string
  readonly channel: Channel
  readonly sender: Person & {
    /** Role of the sender in this group, as the platform reports it. */
    readonly role?: 'owner' | 'admin' | 'member'
    readonly locale?: Locale
    /** Whether it is another bot. Its messages are stored, and handled only with `bots: true` of the endpoint. */
    readonly bot?: boolean
  }
  readonly content: Content
  /** Whether the bot is mentioned. Private messages always count as mentions. */
  readonly mentioned?: boolean
  readonly replyTo?: string
  /** When the platform took it, in milliseconds since the epoch; default now. */
  readonly timestamp?: number
  /** Whether it comes from the history of the platform. It is only stored if it is older than five minutes. */
  readonly late?: boolean
  /** Lets the answer to this message be sent without other rights, as for a pressed button. */
  readonly via?: ReplyToken
}

/** A right to answer one message. The token is a secret. */
export interface ReplyToken {
  readonly token: string
  /** Time from which the platform does not take it any more, in milliseconds since the epoch. */
  readonly until: number
}

/** Names of positions in what a platform delivers, with values of at most 4,096 bytes, such as the id of an event. */
export type Cursors = Readonly<Record<string, string>>

/** A change of a message that was received or sent. */
export interface InboundChange {
  readonly messageId: string
  readonly channel: Channel
  /** The new content; absent where the message was deleted. */
  readonly content?: Content
  readonly deleted?: boolean
  /**
   * Who changed it, where the platform says so. Without `vouched` it must be the sender of the message, else the change
   * is ignored.
   */
  readonly operator?: Person
  /** Whether the platform has checked that the operator may change messages of others, as moderators may. */
  readonly vouched?: boolean
  readonly timestamp?: number
}

/** A reaction that a user added to a message or took away. */
export interface InboundReaction {
  readonly messageId: string
  readonly channel: Channel
  readonly sender: Person
  /** The emoji itself, or its name on the platform. */
  readonly emoji: string
  readonly added: boolean
  readonly timestamp?: number
}

/** A friend or group request that an adapter received. */
export interface InboundRequest {
  /** Id on the platform. */
  readonly id: string
  readonly kind: RequestRow['kind']
  readonly sender: Person
  readonly channel?: Channel
  readonly comment?: string
  readonly timestamp?: number
}

/** A notice of the platform, such as a user who joined or a message that was recalled. */
export interface InboundNotice {
  readonly id: string
  readonly kind: string
  readonly channel?: Channel
  readonly operator?: Person
  readonly target?: Person
  readonly payload: unknown
  readonly timestamp?: number
}
