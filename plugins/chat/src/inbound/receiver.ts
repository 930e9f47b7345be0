// The way in: accepted by the store, and handled as soon as its endpoint has room for it.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Publication } from '@mynah/plugin-events/api'
import type { InboundMessage } from '../api/adapter.js'
import { renderToPlainText } from '../api/segments.js'
import type { EndpointKey, InboundRecord, MessageStore } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { MessageHandler } from './message-handler.js'
import { sanitizeSegments } from './sanitize-segments.js'
import { Intake } from './intake.js'
import { ReceivedMessage, type MessageActions } from './received-message.js'
import { TraceBuilder, type Traces } from '../traces.js'

/** Messages without a row that are handled at once, in all: they can wait nowhere. */
const UNSAVED_AT_ONCE = 1_024

export interface ReceivingDeps {
  readonly store: () => MessageStore | undefined
  readonly handling: MessageHandler
  readonly traces: Traces
  readonly actions: MessageActions
  readonly clock: Clock
  readonly log: Logger
  readonly counters: { received: number; errors: number; duplicates: number; unsaved: number }
  /** The event that tells of a message, where anybody hears it. */
  readonly event: (record: InboundRecord) => Publication | undefined
  /** A message was accepted, for who counts by the minute. */
  readonly counted: (record: InboundRecord) => void
  /** Publishes an event that no store does. */
  readonly publish: (event: Publication) => void
}

export class Receiver {
  readonly #deps: ReceivingDeps
  readonly #intakes = new Map<string, Intake>()
  #unsaved = 0
  #draining = false

  constructor(deps: ReceivingDeps) {
    this.#deps = deps
  }

  /** Accepts a message; its handling goes on after this has resolved. */
  async receive(endpoint: Endpoint, inbound: InboundMessage): Promise<void> {
    const { counters, clock } = this.#deps
    const store = this.#deps.store()
    const withheld = endpoint.definition?.acknowledges === 'after-store'
    if (this.#draining && withheld) throw new WireError('not_ready', 'The host is stopping')
    const record = recordOf(endpoint, inbound, store?.newId() ?? '', clock.now())
    const event = this.#deps.event(record)
    const trace = new TraceBuilder(record, clock.now())
    let stored = true
    try {
      if (!store) throw new WireError('not_ready', 'The message store is away')
      const accepting = store.accept(record, event)
      const accepted = accepting instanceof Promise ? await accepting : accepting
      if (!accepted.fresh) {
        counters.duplicates++
        return
      }
      trace.step('store', 'accept', store.durable ? 'stored' : 'remembered')
    } catch (error) {
      // Not acknowledged, so that the platform delivers it again.
      if (withheld) throw error
      stored = false
      counters.unsaved++
      trace.step('store', 'accept', 'unsaved', messageOf(error))
      if (event) this.#deps.publish(event)
    }
    counters.received++
    endpoint.counters.received++
    this.#deps.counted(record)
    this.#deps.traces.add(trace)
    if (!stored) return this.#beginUnsaved(record, trace)
    const intake = this.#intakeOf(record)
    if (intake.admits(this.#deps.handling.isAwaited(record))) this.#begin(intake, record, trace)
    else trace.step('intake', '', 'waits', 'as many as may be handled at once are being handled')
  }

  #beginUnsaved(record: InboundRecord, trace: TraceBuilder): void {
    if (this.#unsaved >= UNSAVED_AT_ONCE) {
      trace.step('intake', '', 'dropped', 'too many messages are handled without a store')
      trace.release()
      this.#deps.log.error('a message was dropped: too many are handled while the message store is away', {
        endpoint: record.endpoint,
        messageId: record.messageId,
      })
      return
    }
    this.#unsaved++
    void this.#deps.handling.handle(new ReceivedMessage(record, false, trace, this.#deps.actions)).finally(() => {
      this.#unsaved--
    })
  }

  #begin(intake: Intake, record: InboundRecord, trace: TraceBuilder): void {
    void this.#deps.handling
      .handle(new ReceivedMessage(record, true, trace, this.#deps.actions))
      .finally(() => intake.ended())
  }

  /** Handles what the store holds of an endpoint and nobody has begun: a stop left it, or there was no room. */
  resume(key: EndpointKey): void {
    this.#intakeOf(key).resume()
  }

  /** Begins nothing more that the next start would take up; what is not acknowledged yet is refused. */
  drain(): void {
    this.#draining = true
    if (this.#deps.store()?.durable) for (const intake of this.#intakes.values()) intake.close()
  }

  #intakeOf({ adapter, endpoint }: EndpointKey): Intake {
    const name = `${adapter}|${endpoint}`
    let intake = this.#intakes.get(name)
    if (!intake) {
      const made: Intake = new Intake({
        key: { adapter, endpoint },
        store: this.#deps.store,
        begun: () => this.#deps.handling.rows(),
        begin: (record) => this.#takeUp(made, record),
        failed: (error) =>
          this.#deps.log.warn(`messages that wait could not be read: ${messageOf(error)}`, { adapter, endpoint }),
      })
      if (this.#draining && this.#deps.store()?.durable) made.close()
      this.#intakes.set(name, (intake = made))
    }
    return intake
  }

  #takeUp(intake: Intake, record: InboundRecord): void {
    const waiting = this.#deps.traces.waiting(record)
    const trace = waiting ?? new TraceBuilder(record, this.#deps.clock.now())
    if (waiting) trace.step('intake', '', 'taken up')
    else {
      trace.step('store', 'recover', 'found', 'accepted before the last stop and never handled')
      this.#deps.traces.add(trace)
    }
    this.#begin(intake, record, trace)
  }
}

function recordOf(endpoint: Endpoint, inbound: InboundMessage, id: string, now: number): InboundRecord {
  const segments = sanitizeSegments(inbound.content)
  return {
    id,
    adapter: endpoint.adapter,
    endpoint: endpoint.id,
    messageId: inbound.id,
    channel: inbound.channel,
    sender: inbound.sender,
    segments,
    text: renderToPlainText(segments),
    mentioned: inbound.mentioned ?? false,
    ...(inbound.replyTo === undefined ? {} : { replyTo: inbound.replyTo }),
    timestamp: inbound.timestamp ?? now,
  }
}
