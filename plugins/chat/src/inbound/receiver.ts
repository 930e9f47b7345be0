import { messageOf, type BaseContext } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import { publish } from '@mynah/plugin-events/api'
import type { Cursors, InboundMessage } from '../api/inbound.js'
import { renderToPlainText } from '../api/segments.js'
import { RECOVERY_AGE_MS, type EndpointKey, type InboundRecord, type MessageStore } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import type { InboundStates } from '../store/inbound-states.js'
import type { PendingWrites } from '../store/pending-writes.js'
import { inboundEvent } from '../stream-events.js'
import type { Telemetry } from '../telemetry.js'
import { TraceBuilder } from '../traces.js'
import { EndpointMap } from '../util/endpoint-map.js'
import type { Mutable } from '../util/mutable.js'
import type { ActiveMessages } from './active-messages.js'
import { assertCursors } from './cursors.js'
import { Intake } from './intake.js'
import type { MessageActions } from './message-actions.js'
import type { MessageHandler } from './message-handler.js'
import type { Prompts } from './prompts.js'
import { ReceivedMessage } from './received-message.js'
import { sanitizeSegments } from './sanitize-segments.js'

/** Messages without a row that are handled at the same time, of all endpoints: no backlog can hold them. */
const MAX_UNSAVED = 1_024

type Accepted = Awaited<ReturnType<MessageStore['accept']>>
/** `known`: the message was accepted before. `unsaved`: it is handled without a row. */
type Acceptance = 'stored' | 'known' | 'unsaved'

/** The first stage of an inbound message: stores it once, then passes it to the handler when there is room. */
export class Receiver {
  readonly #ctx: BaseContext<unknown>
  readonly #telemetry: Telemetry
  readonly #store: ActiveStore
  readonly #pending: PendingWrites
  readonly #states: InboundStates
  readonly #active: ActiveMessages
  readonly #prompts: Prompts
  readonly #handler: MessageHandler
  readonly #actions: MessageActions
  readonly #intakes = new EndpointMap<Intake>()
  /** Messages that are being stored. */
  readonly #accepting = new Set<EndpointKey & { readonly done: Promise<void> }>()
  #unsaved = 0
  #draining = false
  #closed = false

  constructor(
    ctx: BaseContext<unknown>,
    telemetry: Telemetry,
    store: ActiveStore,
    pending: PendingWrites,
    states: InboundStates,
    active: ActiveMessages,
    prompts: Prompts,
    handler: MessageHandler,
    actions: MessageActions,
  ) {
    this.#ctx = ctx
    this.#telemetry = telemetry
    this.#store = store
    this.#pending = pending
    this.#states = states
    this.#active = active
    this.#prompts = prompts
    this.#handler = handler
    this.#actions = actions
    pending.written.add(() => {
      for (const intake of this.#intakes.values()) intake.resume()
    })
  }

  /**
   * Accepts a message. Resolves before it is handled.
   *
   * @param isStandIn whether it stands for one that cannot be stored, so that it is not handled
   * @throws WireError `not_ready`, or the failure of the store, where the adapter must withhold its acknowledgement
   */
  async receive(endpoint: Endpoint, inbound: InboundMessage, cursors?: Cursors, isStandIn = false): Promise<void> {
    if (cursors) assertCursors(cursors)
    const { clock } = this.#ctx
    const mayBeRefused = endpoint.definition?.acknowledges === 'after-store'
    if (this.#closed || (this.#draining && mayBeRefused)) throw new WireError('not_ready', 'The host is stopping')
    // Another host, or another endpoint in its place, gets it when it is delivered again.
    if (endpoint.stopped && mayBeRefused) throw new WireError('not_ready', 'The endpoint has stopped')
    const record = recordOf(endpoint, inbound, this.#store.current?.newId() ?? '', clock.now())
    if (isStandIn) record.onlyStored = true
    const trace = new TraceBuilder(record, clock.now())
    const accepting = this.#accept(record, trace, mayBeRefused, cursors)
    const begin = (acceptance: Acceptance): void => this.#begin(acceptance, record, trace, isStandIn)
    if (accepting instanceof Promise) await this.#noteAccepting(record, accepting.then(begin))
    else begin(accepting)
  }

  async #noteAccepting({ adapter, endpoint }: EndpointKey, done: Promise<void>): Promise<void> {
    const noted = { adapter, endpoint, done }
    this.#accepting.add(noted)
    try {
      await done
    } finally {
      this.#accepting.delete(noted)
    }
  }

  /** Resolves when no message is being stored, of one endpoint or of all. Never rejects. */
  async accepted(key?: EndpointKey): Promise<void> {
    for (;;) {
      const open = [...this.#accepting].filter((one) => key === undefined || isSame(one, key))
      if (open.length === 0) return
      await Promise.allSettled(open.map(({ done }) => done))
    }
  }

  /** Handles a message that was accepted. */
  #begin(acceptance: Acceptance, record: InboundRecord, trace: TraceBuilder, isStandIn: boolean): void {
    if (acceptance === 'known') return
    this.#telemetry.countReceived(record)
    trace.counted = true
    this.#telemetry.traces.add(trace)
    if (record.onlyStored) {
      trace.step('intake', '', 'stored', reasonOf(record, isStandIn))
      trace.release()
    } else if (acceptance === 'stored') this.#startOrWait(record, trace)
    else this.#startUnsaved(record, trace)
  }

  /** Stores a message. Rejects, or throws, where it may be refused and the store does not take it. */
  #accept(
    record: InboundRecord,
    trace: TraceBuilder,
    mayBeRefused: boolean,
    cursors: Cursors | undefined,
  ): Awaitable<Acceptance> {
    const event = this.#ctx.hasListeners(publish) ? inboundEvent(record) : undefined
    const accepted = ({ fresh, waits }: Accepted): Acceptance => {
      if (fresh) {
        trace.step('store', 'accept', this.#store.current?.durable ? 'stored' : 'remembered')
        return 'stored'
      }
      this.#telemetry.counters.duplicates++
      // The store took the first delivery, and its answer was lost.
      if (waits) this.#intakeOf(record).resume()
      return 'known'
    }
    const failed = (error: unknown): Acceptance => {
      // Not acknowledged, so that the platform delivers it again.
      if (mayBeRefused) throw error
      this.#telemetry.counters.unsaved++
      trace.step('store', 'accept', 'unsaved', messageOf(error))
      if (cursors) this.#pending.add((store) => store.setCursors(record, cursors))
      if (event) this.#ctx.emit(publish, event)
      return 'unsaved'
    }
    try {
      const accepting = this.#states.accept(record, event, cursors)
      return accepting instanceof Promise ? accepting.then(accepted, failed) : accepted(accepting)
    } catch (error) {
      return failed(error)
    }
  }

  #startOrWait(record: InboundRecord, trace: TraceBuilder): void {
    const intake = this.#intakeOf(record)
    // The answer to a prompt must not wait behind the messages that wait for the prompt.
    if (intake.tryStart(record.id, this.#prompts.isAwaited(record))) this.#start(intake, record, trace)
    else trace.step('intake', '', 'waits', 'the maximum number of messages is being handled')
  }

  #startUnsaved(record: InboundRecord, trace: TraceBuilder): void {
    if (this.#unsaved >= MAX_UNSAVED) {
      trace.step('intake', '', 'dropped', 'too many messages are handled without a store')
      trace.release()
      this.#ctx.log.error('message dropped: store unavailable and backlog full', {
        endpoint: record.endpoint,
        messageId: record.messageId,
      })
      return
    }
    this.#unsaved++
    void this.#handler.handle(new ReceivedMessage(record, false, trace, this.#actions)).finally(() => {
      this.#unsaved--
    })
  }

  #start(intake: Intake, record: InboundRecord, trace: TraceBuilder): void {
    void this.#handler.handle(new ReceivedMessage(record, true, trace, this.#actions)).then((result) => {
      if (result === 'unwritten') intake.suspend()
      else intake.finish()
    })
  }

  /** Handles the messages of an endpoint that the store holds and that no work is in progress on. */
  resume(key: EndpointKey): void {
    this.#intakeOf(key).resume()
  }

  /** Starts no more messages of an endpoint: they stay in the store. */
  leave(key: EndpointKey): void {
    this.#intakeOf(key).close()
  }

  /** Forgets what waits for an endpoint that another host goes on with. */
  forget(key: EndpointKey): void {
    this.#intakes.delete(key)
  }

  /** Starts no message that the next start of the host would handle, and refuses those that can be delivered again. */
  drain(): void {
    this.#draining = true
    if (this.#store.current?.durable) for (const intake of this.#intakes.values()) intake.close()
  }

  /** Accepts nothing more. */
  close(): void {
    this.#closed = true
  }

  #intakeOf(key: EndpointKey): Intake {
    return this.#intakes.getOrCreate(key, () => this.#createIntake(key))
  }

  #createIntake({ adapter, endpoint }: EndpointKey): Intake {
    const intake = new Intake(
      { adapter, endpoint },
      this.#store,
      this.#pending,
      this.#active,
      this.#ctx.log,
      (from, record) => this.#startWaiting(from, record),
    )
    if (this.#draining && this.#store.current?.durable) intake.close()
    return intake
  }

  #startWaiting(intake: Intake, record: InboundRecord): void {
    const { traces } = this.#telemetry
    const known = traces.findOpen(record)
    const trace = known ?? new TraceBuilder(record, this.#ctx.clock.now())
    if (known) trace.step('intake', '', 'taken up')
    else {
      trace.step('store', 'recover', 'found', 'accepted before the last stop and never handled')
      traces.add(trace)
    }
    this.#start(intake, record, trace)
  }
}

const isSame = (one: EndpointKey, other: EndpointKey): boolean =>
  one.adapter === other.adapter && one.endpoint === other.endpoint

function reasonOf({ sender }: InboundRecord, isStandIn: boolean): string {
  if (isStandIn) return 'the store could not take it as it was'
  return sender.bot ? 'another bot has sent it' : 'the message is too old to be handled'
}

function recordOf(endpoint: Endpoint, inbound: InboundMessage, id: string, now: number): Mutable<InboundRecord> {
  const segments = sanitizeSegments(inbound.content)
  const timestamp = inbound.timestamp ?? now
  const replyTo = inbound.replyTo ?? quotedIn(segments)
  const record: Mutable<InboundRecord> = {
    id,
    adapter: endpoint.adapter,
    endpoint: endpoint.id,
    messageId: inbound.id,
    channel: inbound.channel,
    sender: inbound.sender,
    segments,
    text: renderToPlainText(segments),
    mentioned: inbound.mentioned ?? false,
    timestamp,
  }
  if (replyTo !== undefined) record.replyTo = replyTo
  if (inbound.via) record.via = inbound.via
  const isTooOld = inbound.late === true && timestamp <= now - RECOVERY_AGE_MS
  if (isTooOld || (inbound.sender.bot && endpoint.config.bots !== true)) record.onlyStored = true
  return record
}

/** Returns the id of the message that a segment quotes. */
function quotedIn(segments: readonly Segment[]): string | undefined {
  const id = segments.find(({ type }) => type === 'reply')?.data.id
  return typeof id === 'string' && id !== '' ? id : undefined
}
