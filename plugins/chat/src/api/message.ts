import type { Channel, Content, Person, Segment } from '@mynah/contract/types'
import type { Locale } from './languages.js'

export type { Channel, Person }

/** A role of a sender. A sender may have several. */
export type Role = 'user' | 'group_admin' | 'group_owner' | 'trusted' | 'master'

/** Where a message goes. */
export type Target = Channel

/**
 * Returns the parent without which a channel is not known. The id of a thread begins with that of its chat, so that its
 * parent says nothing new.
 */
export function separateParent({ id, parent }: Channel): Channel['parent'] {
  return parent?.type === 'group' && id.startsWith(`${parent.id}:`) ? undefined : parent
}

/** A sent message. */
export interface Receipt {
  /**
   * Id on the platform. Empty while the message waits for an endpoint that is offline, and where a listener held it
   * back.
   */
  readonly messageId: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}

/** How long a step of a trace took, and its place in the tree of steps. */
export interface StepDetails {
  /** Milliseconds that it took; default the time since the step before. */
  readonly durationMs?: number | undefined
  /** The part of the time that was spent waiting, in milliseconds. */
  readonly waitedMs?: number | undefined
  /** Identifies a step that has parts. Unique within the trace. */
  readonly id?: string | undefined
  /** Id of the step that it is a part of. That one may be added later, when it ends. */
  readonly parent?: string | undefined
}

/** How a message is replied to. */
export interface ReplyOptions {
  /**
   * Whether only the sender may see the reply, such as a secret. Where the platform cannot show a message to one user
   * of a group, it is sent as a private message.
   */
  readonly onlySender?: boolean
}

/** A message that was received, and what can be done with it. */
export interface Message {
  /** Id on the platform, or one made by the adapter. */
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
  readonly sender: Person
  readonly segments: readonly Segment[]
  /** The segments as plain text, without words that the sender has forwarded. */
  readonly text: string
  /** Whether the bot is mentioned or the channel is private. */
  readonly addressed: boolean
  /** Id of the message that this one answers. */
  readonly replyTo?: string | undefined
  readonly timestamp: number
  readonly locale: Locale
  readonly roles: ReadonlySet<Role>
  /** Row in the message store; absent where it was not stored. */
  readonly row: string | undefined
  /** Values that middlewares pass on to each other. */
  readonly state: Map<string, unknown>
  /** Adds a decision to the trace of this message, also after its handling. */
  step(stage: string, name: string, outcome: string, reason?: string, details?: StepDetails): void
  /**
   * Ends the handling of this message, which another plugin answers from here on. Within a transaction of the
   * database this is committed or rolled back with the other writes.
   */
  detach(): Promise<void>
  /** Ends a detached message: no more replies follow, and its trace ends. */
  done(): void
  /** Replies in the channel of this message. */
  $reply(content: Content, options?: ReplyOptions): Promise<Receipt>
  /**
   * Asks a question. Resolves with the next text of the same sender in the same channel, or with `undefined` after
   * `timeout` milliseconds (default 60,000).
   */
  $prompt(question: Content, options?: { timeout?: number }): Promise<string | undefined>
}
