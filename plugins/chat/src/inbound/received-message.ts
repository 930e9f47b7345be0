import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { Locale } from '../api/languages.js'
import { isForeign, isForwarded, renderToPlainText } from '../api/segments.js'
import type { Message, Person, Receipt, ReplyOptions, Role, StepDetails } from '../api/message.js'
import type { InboundRecord } from '../api/store.js'
import type { TraceBuilder } from '../traces.js'

/**
 * How the row of a message becomes `handled`: written by the handler at its end, with the intent of a reply, or by the
 * plugin that the message was detached to. A `returned` one is not: it is handled again.
 */
export type CompletionMode = 'handler' | 'reply' | 'detached' | 'returned'

/** Performs the actions of received messages. */
export interface ReceivedMessageActions {
  /** Language of users whose platform reports none. */
  readonly locale: Locale
  rolesOf(message: ReceivedMessage): ReadonlySet<Role>
  /** Replies without the dispatcher: no post-processing and no reply context. */
  reply(message: ReceivedMessage, content: Content, options?: ReplyOptions): Promise<Receipt>
  /** Waits for the next message of the same sender in the same channel; `timeout` in milliseconds. */
  prompt(message: ReceivedMessage, timeout: number): Promise<string | undefined>
  cancelPrompt(message: ReceivedMessage): void
  /** Marks the message as handled within the caller's transaction, and keeps it for further replies. */
  detach(message: ReceivedMessage): Promise<void>
  /** Ends a detached message: no more replies follow. */
  done(message: ReceivedMessage): void
}

/** An inbound message from its acceptance to its last reply. */
export class ReceivedMessage implements Message {
  readonly record: InboundRecord
  /** Whether {@link InboundRecord.id} is a row of the store. */
  readonly stored: boolean
  readonly trace: TraceBuilder
  /** Describes what runs now, such as `the command "help"`. */
  currentStep: () => string = () => ''
  /** Seconds after which this message counts as slow, where the running command sets its own. */
  slowAfter: number | undefined
  /** When its handling began, by the host's clock, in milliseconds. */
  startedAt = 0
  slowReported = false
  index = -1
  completion: CompletionMode = 'handler'
  readonly #actions: ReceivedMessageActions
  readonly #isForwarded: boolean
  #roles: ReadonlySet<Role> | undefined
  #state: Map<string, unknown> | undefined

  constructor(record: InboundRecord, stored: boolean, trace: TraceBuilder, actions: ReceivedMessageActions) {
    this.record = record
    this.stored = stored
    this.trace = trace
    this.#actions = actions
    this.#isForwarded = isForwarded(record.segments)
  }

  get id(): string {
    return this.record.messageId
  }
  get row(): string | undefined {
    return this.stored ? this.record.id : undefined
  }
  get adapter(): string {
    return this.record.adapter
  }
  get endpoint(): string {
    return this.record.endpoint
  }
  get channel(): Channel {
    return this.record.channel
  }
  get sender(): Person {
    return this.record.sender
  }
  get segments(): readonly Segment[] {
    return this.record.segments
  }
  get text(): string {
    const { segments, text } = this.record
    return this.#isForwarded ? renderToPlainText(segments.filter((segment) => !isForeign(segment))) : text
  }
  get addressed(): boolean {
    return this.record.mentioned || this.record.channel.type === 'private'
  }
  get replyTo(): string | undefined {
    return this.record.replyTo
  }
  get timestamp(): number {
    return this.record.timestamp
  }
  get locale(): Locale {
    return (this.record.sender.locale as Locale | undefined) ?? this.#actions.locale
  }
  get roles(): ReadonlySet<Role> {
    return (this.#roles ??= this.#actions.rolesOf(this))
  }
  get state(): Map<string, unknown> {
    return (this.#state ??= new Map())
  }

  step(stage: string, name: string, outcome: string, reason?: string, details?: StepDetails): void {
    this.trace.step(stage, name, outcome, reason, details)
  }

  detach(): Promise<void> {
    return this.#actions.detach(this)
  }

  done(): void {
    this.#actions.done(this)
  }

  $reply(content: Content, options?: ReplyOptions): Promise<Receipt> {
    return this.#actions.reply(this, content, options)
  }

  async $prompt(question: Content, { timeout = 60_000 }: { timeout?: number } = {}): Promise<string | undefined> {
    const answer = this.#actions.prompt(this, timeout)
    try {
      await this.$reply(question)
    } catch (error) {
      // The question was not sent, so the next message of the user is no answer to it.
      this.#actions.cancelPrompt(this)
      throw error
    }
    return answer
  }
}
