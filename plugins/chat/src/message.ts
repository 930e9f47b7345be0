// One inbound message while it is handled.
import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { Locale, Message, Person, Receipt, Role } from './api/message.js'
import type { InboundRecord } from './api/store.js'
import type { Endpoint } from './endpoint.js'
import { rolesOf } from './roles.js'
import type { TraceBuilder } from './traces.js'

/** What a message can do, given by the runtime. */
export interface MessageActions {
  send(endpoint: Endpoint, target: Channel, content: Content, options: { readonly answers?: string; readonly replyTo?: string }): Promise<Receipt>
  ask(message: ReceivedMessage, timeout: number): Promise<string | undefined>
  /** Takes back what {@link MessageActions.ask} waits for. */
  unask(message: ReceivedMessage): void
  readonly locale: Locale
}

export class ReceivedMessage implements Message {
  readonly record: InboundRecord
  /** Row id in the store; absent while the store is away. */
  readonly rowId: string | undefined
  readonly source: Endpoint
  readonly trace: TraceBuilder
  readonly #actions: MessageActions
  #roles: ReadonlySet<Role> | undefined
  #state: Map<string, unknown> | undefined

  constructor(record: InboundRecord, rowId: string | undefined, source: Endpoint, trace: TraceBuilder, actions: MessageActions) {
    this.record = record
    this.rowId = rowId
    this.source = source
    this.trace = trace
    this.#actions = actions
  }

  get id(): string { return this.record.messageId }
  get adapter(): string { return this.record.adapter }
  get endpoint(): string { return this.record.endpoint }
  get channel(): Channel { return this.record.channel }
  get sender(): Person { return this.record.sender }
  get segments(): readonly Segment[] { return this.record.segments }
  get text(): string { return this.record.text }
  get addressed(): boolean { return this.record.mentioned || this.record.channel.type === 'private' }
  get replyTo(): string | undefined { return this.record.replyTo }
  get timestamp(): number { return this.record.timestamp }
  get locale(): Locale { return (this.record.sender.locale as Locale | undefined) ?? this.#actions.locale }
  get roles(): ReadonlySet<Role> { return (this.#roles ??= rolesOf(this.source.config, this.record.sender.id, this.record.sender.role)) }
  get state(): Map<string, unknown> { return (this.#state ??= new Map()) }

  async $reply(content: Content): Promise<Receipt> {
    const receipt = await this.#actions.send(this.source, this.record.channel, content, this.rowId === undefined ? { replyTo: this.id } : { answers: this.rowId, replyTo: this.id })
    this.trace.replies++
    return receipt
  }

  async $prompt(question: Content, { timeout = 60_000 }: { timeout?: number } = {}): Promise<string | undefined> {
    const answer = this.#actions.ask(this, timeout)
    try {
      await this.$reply(question)
    } catch (error) {
      // Nobody saw the question: what the user says next is no answer to it.
      this.#actions.unask(this)
      throw error
    }
    return answer
  }
}
