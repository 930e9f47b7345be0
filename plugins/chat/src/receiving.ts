// The way in: accepted by the store, then middlewares, dispatcher, and the hooks after the fact.
import { messageOf, type Clock, type HostControl, type Logger, type Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { InboundMessage } from './api/adapter.js'
import type { Middleware } from './api/points.js'
import { renderToPlainText } from './api/segments.js'
import type { InboundRecord, MessageStore } from './api/store.js'
import type { Dispatcher } from './dispatcher.js'
import { inboundSegments } from './inbound-segments.js'
import type { Endpoint } from './endpoint.js'
import { ReceivedMessage, type MessageActions } from './message.js'
import type { Prompts } from './prompts.js'
import { Chain, type OwnedMiddleware } from './middleware-chain.js'
import { TraceBuilder, type Traces } from './traces.js'

export interface ReceivingDeps {
  readonly store: () => MessageStore | undefined
  readonly middlewares: Reader<Middleware>
  readonly dispatcher: Dispatcher
  readonly prompts: Prompts
  readonly traces: Traces
  readonly actions: MessageActions
  readonly host: HostControl
  readonly clock: Clock
  readonly log: Logger
  readonly counters: { received: number; errors: number; duplicates: number; unsaved: number }
  /** Tells the stream and whoever counts that a message was accepted. */
  readonly accepted: (record: InboundRecord, rowId: string | undefined) => void
  /** Tells the hook `message.receive`. */
  readonly finished: (message: ReceivedMessage) => void
}

export class Receiving {
  readonly #deps: ReceivingDeps
  #ordered: readonly OwnedMiddleware[] = []
  #revision = -1

  constructor(deps: ReceivingDeps) {
    this.#deps = deps
  }

  /** Accepts a message; its handling goes on after this has resolved. */
  async receive(endpoint: Endpoint, inbound: InboundMessage): Promise<void> {
    const record = recordOf(endpoint, inbound, this.#deps.clock.now())
    const { counters } = this.#deps
    let rowId: string | undefined
    const trace = new TraceBuilder(record, this.#deps.clock.now())
    try {
      const store = this.#deps.store()
      if (!store) throw new WireError('not_ready', 'The message store is away')
      const accepting = store.accept(record)
      const accepted = accepting instanceof Promise ? await accepting : accepting
      if (!accepted.fresh) {
        counters.duplicates++
        return
      }
      rowId = accepted.id
      trace.step('store', 'accept', store.durable ? 'stored' : 'remembered')
    } catch (error) {
      // Not acknowledged, so that the platform delivers it again.
      if (endpoint.definition?.acknowledges === 'after-store') throw error
      counters.unsaved++
      trace.step('store', 'accept', 'unsaved', messageOf(error))
    }
    counters.received++
    endpoint.counters.received++
    this.#deps.accepted(record, rowId)
    this.#begin(endpoint, record, rowId, trace)
  }

  /** Handles what a crash left accepted and untouched. */
  recover(endpoint: Endpoint, record: InboundRecord, rowId: string): void {
    const trace = new TraceBuilder(record, this.#deps.clock.now())
    trace.step('store', 'recover', 'found', 'accepted before the last stop and never handled')
    this.#begin(endpoint, record, rowId, trace)
  }

  #begin(endpoint: Endpoint, record: InboundRecord, rowId: string | undefined, trace: TraceBuilder): void {
    void this.#handle(new ReceivedMessage(record, rowId, endpoint, trace, this.#deps.actions))
  }

  async #handle(message: ReceivedMessage): Promise<void> {
    const { trace, rowId } = message
    try {
      if (rowId !== undefined) await this.#mark(message, rowId)
      await this.#run(message)
    } catch (error) {
      trace.step('handling', '', 'failed', messageOf(error))
      this.#deps.counters.errors++
      this.#deps.log.error(`handling a message failed: ${messageOf(error)}`, { adapter: message.adapter, endpoint: message.endpoint, messageId: message.id })
    }
    trace.end()
    this.#deps.traces.add(trace)
    this.#deps.finished(message)
    if (rowId === undefined) return
    try {
      await this.#deps.store()?.handled(rowId)
    } catch (error) {
      this.#deps.log.warn(`a handled message could not be marked: ${messageOf(error)}`, { messageId: message.id })
    }
  }

  /** Says to the store that handling begins. What was accepted is handled even where the store went away since. */
  async #mark(message: ReceivedMessage, rowId: string): Promise<void> {
    try {
      await this.#deps.store()?.handling(rowId)
    } catch (error) {
      message.trace.step('store', 'handling', 'unmarked', messageOf(error))
    }
  }

  async #run(message: ReceivedMessage): Promise<void> {
    const { middlewares } = this.#deps
    if (this.#revision !== middlewares.revision) {
      this.#revision = middlewares.revision
      this.#ordered = [...middlewares.all()].sort((a, b) => (b.value.priority ?? 0) - (a.value.priority ?? 0))
    }
    const chain = new Chain(this.#ordered, message, () => this.#dispatch(message))
    try {
      await chain.run(0)
    } catch (error) {
      const culprit = await chain.culprit()
      if (culprit) {
        message.trace.step('middleware', culprit.value.name, 'failed', messageOf(error))
        this.#deps.host.report(culprit.owner, error)
      }
      throw error
    }
    if (chain.stoppedBy) message.trace.step('middleware', chain.stoppedBy.value.name, 'stopped', 'did not call next')
  }

  async #dispatch(message: ReceivedMessage): Promise<void> {
    if (this.#ordered.length) message.trace.step('middleware', `${this.#ordered.length}`, 'passed')
    // A command is meant as one, also while a question waits: its owner must be able to approve, or to ask for help.
    if (this.#deps.prompts.waits(message.record) && !this.#deps.dispatcher.isCommand(message)) {
      this.#deps.prompts.take(message.record)
      message.trace.step('prompt', '', 'answered', 'a command was waiting for this answer')
      return
    }
    await this.#deps.dispatcher.dispatch(message)
  }
}

function recordOf(endpoint: Endpoint, inbound: InboundMessage, now: number): InboundRecord {
  const segments = inboundSegments(inbound.content)
  return {
    adapter: endpoint.adapter, endpoint: endpoint.id, messageId: inbound.id, channel: inbound.channel, sender: inbound.sender,
    segments, text: renderToPlainText(segments), mentioned: inbound.mentioned ?? false,
    ...(inbound.replyTo === undefined ? {} : { replyTo: inbound.replyTo }), timestamp: inbound.timestamp ?? now,
  }
}
