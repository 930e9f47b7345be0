// Every state change of a message row that this process makes goes through these two classes.
//
//   inbound:  received → handling → handled | interrupted
//   outbound: intent → sending → sent | failed | unknown, and back to intent while the endpoint is offline
import { messageOf, type BaseContext, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import { publish, type Publication } from '@mynah/plugin-events/api'
import type { EndpointKey, InboundRecord, KnownSend, MessageStore, OutboundRecord, SendOutcome } from '../api/store.js'
import type { ReceivedMessage } from '../inbound/received-message.js'
import { outboundEvent } from '../stream-events.js'
import type { Telemetry } from '../telemetry.js'
import type { Awaitable } from '@mynah/kernel/util'
import { Signal } from '../util/signal.js'
import type { ActiveStore } from './active-store.js'

/** State changes of inbound rows. Only this class sets {@link ReceivedMessage.completion}. */
export class InboundStates {
  readonly #store: ActiveStore
  readonly #log: Logger

  constructor(store: ActiveStore, log: Logger) {
    this.#store = store
    this.#log = log
  }

  /**
   * Adds a row in the state `received`, unless the message was accepted before.
   *
   * @throws WireError `not_ready` while the store is unavailable
   */
  accept(record: InboundRecord, event?: Publication): ReturnType<MessageStore['accept']> {
    const store = this.#store.current
    if (!store) throw new WireError('not_ready', 'The message store is unavailable')
    return store.accept(record, event)
  }

  /**
   * Received → handling. An accepted message is handled even when the store cannot write this.
   *
   * @returns false where the row was not `received` any more: another call handles the message, or has handled it
   */
  start({ record, trace }: ReceivedMessage): Awaitable<boolean> {
    const failed = (error: unknown): true => {
      trace.step('store', 'handling', 'unmarked', messageOf(error))
      return true
    }
    try {
      const started = this.#store.current?.startHandling(record.id) ?? true
      return started instanceof Promise ? started.catch(failed) : started
    } catch (error) {
      return failed(error)
    }
  }

  /** Handling → handled, unless a reply or a detached worker has written it already. Never rejects. */
  async finish(message: ReceivedMessage): Promise<void> {
    if (!message.stored || message.completion !== 'handler') return
    try {
      await this.#store.current?.finishHandling(message.record.id)
    } catch (error) {
      this.#log.warn(`failed to mark a message as handled: ${messageOf(error)}`, { messageId: message.id })
    }
  }

  /** Handling → handled within the transaction of the caller, who answers from here on. */
  async detach(message: ReceivedMessage): Promise<void> {
    if (message.stored) await this.#store.require().finishHandling(message.record.id)
    message.completion = 'detached'
  }

  /** Notes that the row became `handled` together with the intent of its reply. */
  finishedWithReply(message: ReceivedMessage): void {
    message.completion = 'reply'
  }

  /** Takes back {@link InboundStates.detach} after a failure: its transaction may have been rolled back. */
  reattach(message: ReceivedMessage): void {
    if (message.completion === 'detached') message.completion = 'handler'
  }
}

/** The result of {@link OutboundStates.addIntent}. */
export interface IntentResult {
  /** Whether the row is in the store. */
  readonly stored: boolean
  /** The earlier row with the same key. */
  readonly known: KnownSend | undefined
}

/** State changes of outbound rows, and what follows from each: counters, activity and stream events. */
export class OutboundStates {
  /** A message waits for its endpoint: its row is an intent again. */
  readonly requeued = new Signal<OutboundRecord>()
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #telemetry: Telemetry

  constructor(ctx: BaseContext<unknown>, store: ActiveStore, telemetry: Telemetry) {
    this.#ctx = ctx
    this.#store = store
    this.#telemetry = telemetry
  }

  /**
   * Adds a row in the state `intent`. A message without a key is sent even when the store cannot write it.
   *
   * @param store the store that made the id of the record
   * @param finishes row of the inbound message that becomes `handled` with it
   */
  addIntent(
    store: MessageStore | undefined,
    record: OutboundRecord,
    finishes: string | undefined,
  ): Awaitable<IntentResult> {
    const added = (known: KnownSend | undefined): IntentResult => ({ stored: store !== undefined, known })
    const failed = (error: unknown): IntentResult => {
      if (record.key !== undefined) throw error
      this.#telemetry.counters.unsaved++
      this.#ctx.log.warn(`failed to store a message, sending it anyway: ${messageOf(error)}`)
      return { stored: false, known: undefined }
    }
    try {
      const adding = store?.addIntent(record, finishes)
      return adding instanceof Promise ? adding.then(added, failed) : added(adding)
    } catch (error) {
      return failed(error)
    }
  }

  /** Intent → sending. From here on a crash leaves the row `unknown`. The message is sent even when this fails. */
  startSending(record: OutboundRecord): Awaitable<void> {
    return this.#tolerate(() => this.#store.current?.startSending(record.id))
  }

  /** Intent → sending, for a draft. Rejects where the store cannot write it. */
  async startDraft(record: OutboundRecord): Promise<void> {
    await this.#store.current?.startSending(record.id)
  }

  /** Writes what a draft shows and where; an empty id means that no message shows it. */
  async updateDraft(id: string, messageId: string, segments: readonly Segment[], text: string): Promise<void> {
    await this.#store.current?.updateDraft(id, messageId, segments, text)
  }

  /**
   * Sending → intent where the message may wait for its endpoint.
   *
   * @returns whether it waits
   */
  async requeue(record: OutboundRecord): Promise<boolean> {
    const store = this.#store.current
    if (!store) return false
    await store.requeue(record.id)
    this.requeued.emit(record)
    return true
  }

  /**
   * Sending → sent, failed or unknown. The stream event is published with the same commit, or at once where the row is
   * not in the store. Never rejects.
   */
  finish(record: OutboundRecord, outcome: SendOutcome, stored: boolean): Awaitable<void> {
    this.#telemetry.countOutcome(record, outcome.state)
    const event = this.#ctx.hasListeners(publish) ? outboundEvent(record, outcome) : undefined
    if (stored) return this.#tolerate(() => this.#store.current?.finishSending(record.id, outcome, event))
    if (event) this.#ctx.emit(publish, event)
  }

  /** Returns the intents of an endpoint that no work is in progress on, and settles those that are too old. */
  recover(store: MessageStore, key: EndpointKey): Awaitable<readonly OutboundRecord[]> {
    return store.recoverOutbound(key)
  }

  #tolerate(write: () => Awaitable<void> | undefined): Awaitable<void> {
    try {
      const written = write()
      return written instanceof Promise ? written.catch((error: unknown) => this.#unsaved(error)) : undefined
    } catch (error) {
      this.#unsaved(error)
    }
  }

  #unsaved(error: unknown): void {
    this.#telemetry.counters.unsaved++
    this.#ctx.log.warn(`failed to store the delivery state of a message: ${messageOf(error)}`)
  }
}
