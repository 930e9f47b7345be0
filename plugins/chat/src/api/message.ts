// Messages as middlewares, commands and hooks see them.
import type { Channel, Content, Person, Segment } from '@mynah/contract/types'
import type { Locale } from './languages.js'

export type { Channel, Person }

/** What a sender may be; roles add up. */
export type Role = 'user' | 'group_admin' | 'group_owner' | 'trusted' | 'master'

/** Where a message goes. */
export type Target = Channel

/** A sent message. */
export interface Receipt {
  /** Id on the platform; empty while the message waits for an endpoint that is away, or where a listener held it back. */
  readonly messageId: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}

/** A message that came in, with what one does with it. */
export interface Message {
  /** Id on the platform, or one made by the adapter. */
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
  readonly sender: Person
  readonly segments: readonly Segment[]
  /** The segments as plain text. */
  readonly text: string
  /** The bot is mentioned, or the channel is private. */
  readonly addressed: boolean
  /** Id of the message that this one answers. */
  readonly replyTo?: string | undefined
  readonly timestamp: number
  readonly locale: Locale
  readonly roles: ReadonlySet<Role>
  /** Its row in the message store; absent where it could not be stored. */
  readonly row: string | undefined
  /** Free for middlewares to pass things on. */
  readonly state: Map<string, unknown>
  /** Adds a decision to the trace of this message, also after its handling has ended; `waitedMs` of the time passed were waiting. */
  step(stage: string, name: string, outcome: string, reason?: string, waitedMs?: number): void
  /**
   * Somebody else answers from here on and has written that down: its handling ends now. Within a transaction of the
   * database it is kept or undone together with what else is written there.
   */
  detach(): Promise<void>
  /** Nothing more follows a message that was handed over: its trace has ended. */
  done(): void
  /** Answers in the channel of this message. */
  $reply(content: Content): Promise<Receipt>
  /** Asks, and gives the text that the same sender answers in the same channel, or `undefined` after `timeout` ms (default 60,000). */
  $prompt(question: Content, options?: { timeout?: number }): Promise<string | undefined>
}
