import type { BaseContext } from '@mynah/kernel'
import type { Content } from '@mynah/contract/types'
import type { Locale } from '../api/languages.js'
import type { Receipt, ReplyOptions, Role } from '../api/message.js'
import type { Outbound } from '../outbound/outbound.js'
import type { Roles } from '../roles.js'
import type { ChatSettings } from '../settings.js'
import type { ActiveStore } from '../store/active-store.js'
import type { InboundStates } from '../store/inbound-states.js'
import type { Telemetry } from '../telemetry.js'
import { TraceBuilder } from '../traces.js'
import type { Prompts } from './prompts.js'
import { ReceivedMessage, type ReceivedMessageActions } from './received-message.js'

/** The actions of all received messages. Remembers detached messages until they are done. */
export class MessageActions implements ReceivedMessageActions {
  readonly #ctx: BaseContext<unknown>
  readonly #settings: ChatSettings
  readonly #telemetry: Telemetry
  readonly #store: ActiveStore
  readonly #states: InboundStates
  readonly #outbound: Outbound
  readonly #prompts: Prompts
  readonly #roles: Roles
  /** Messages that another plugin answers, by row. */
  readonly #detached = new Map<string, ReceivedMessage>()

  constructor(
    ctx: BaseContext<unknown>,
    settings: ChatSettings,
    telemetry: Telemetry,
    store: ActiveStore,
    states: InboundStates,
    outbound: Outbound,
    prompts: Prompts,
    roles: Roles,
  ) {
    this.#ctx = ctx
    this.#settings = settings
    this.#telemetry = telemetry
    this.#store = store
    this.#states = states
    this.#outbound = outbound
    this.#prompts = prompts
    this.#roles = roles
  }

  get locale(): Locale {
    return this.#settings.commands.locale
  }

  rolesOf({ adapter, endpoint, sender, record }: ReceivedMessage): ReadonlySet<Role> {
    return this.#roles.of(adapter, endpoint, sender.id, record.sender.role)
  }

  reply(message: ReceivedMessage, content: Content, options?: ReplyOptions): Promise<Receipt> {
    return this.#outbound.reply(message, content, options)
  }

  prompt({ record }: ReceivedMessage, timeout: number): Promise<string | undefined> {
    return this.#prompts.ask(record, timeout)
  }

  cancelPrompt({ record }: ReceivedMessage): void {
    this.#prompts.cancel(record)
  }

  async detach(message: ReceivedMessage): Promise<void> {
    const isRepeated = message.completion === 'detached'
    // Written again where the transaction of before was rolled back.
    await this.#states.detach(message)
    if (isRepeated) return
    message.trace.hold()
    this.#detached.set(message.record.id, message)
  }

  done(message: ReceivedMessage): void {
    if (!this.#detached.delete(message.record.id)) return
    message.trace.release()
  }

  /** Returns the message of a row: the detached one, or a new one made of the stored record. */
  async find(row: string): Promise<ReceivedMessage | undefined> {
    const live = this.#detached.get(row)
    if (live) return live
    const record = await this.#store.require().findInbound(row)
    if (!record) return undefined
    const trace = new TraceBuilder(record, this.#ctx.clock.now())
    trace.step('store', 'recover', 'found', 'detached before the last stop')
    this.#telemetry.traces.add(trace)
    const message = new ReceivedMessage(record, true, trace, this)
    message.completion = 'detached'
    this.#detached.set(row, message)
    return message
  }
}
