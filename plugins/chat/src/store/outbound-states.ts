// Every state change of an outbound row that this process makes, and what follows from each: counters, activity and
// stream events.
//
//   draft → intent → sending → sent | failed | unknown, and back to intent where the platform has not taken it
import { messageOf, type BaseContext } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import { publish, type Publication } from '@mynah/plugin-events/api'
import { omitUndefined, type Awaitable } from '@mynah/kernel/util'
import {
  RECOVERY_AGE_MS,
  type EndpointKey,
  type KnownSend,
  type MessageStore,
  type OutboundRecord,
  type RecoveredSends,
  type SendOutcome,
  type SendProgress,
} from '../api/store.js'
import { outboundEvent } from '../stream-events.js'
import type { Telemetry } from '../telemetry.js'
import { Signal } from '../util/signal.js'
import type { ActiveStore } from './active-store.js'
import { isUnavailable, type PendingWrites } from './pending-writes.js'

/** The result of {@link OutboundStates.addIntent}. */
export interface IntentResult {
  /** Whether the row is in the store. */
  readonly stored: boolean
  /** The earlier row with the same key. */
  readonly known: KnownSend | undefined
}

/** A message that the platform may show. */
export interface UnclearShow {
  readonly text: string | undefined
  /** Why that is not known. */
  readonly error: string
}

/**
 * What happens while the store is unavailable: `waits` for it, `fails`, or is sent `unsaved`, as only the replies to a
 * message are that has no row itself.
 */
export type StoreFailurePolicy = 'waits' | 'fails' | 'unsaved'

const WITHDRAWN = 'it was taken back before it was sent'

/** State changes of outbound rows. */
export class OutboundStates {
  /** A message waits: its row is an intent again. */
  readonly requeued = new Signal<OutboundRecord>()
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #pending: PendingWrites
  readonly #telemetry: Telemetry
  /** Rows without an answer from the store: their outcome is written in case that they exist. */
  readonly #uncertain = new Set<string>()

  constructor(ctx: BaseContext<unknown>, store: ActiveStore, pending: PendingWrites, telemetry: Telemetry) {
    this.#ctx = ctx
    this.#store = store
    this.#pending = pending
    this.#telemetry = telemetry
  }

  /**
   * Returns the store once it is available.
   *
   * @throws WireError `not_ready` where it stays unavailable
   */
  whenAvailable(): Promise<MessageStore> {
    return this.#pending.persist(() => this.#store.require(), RECOVERY_AGE_MS)
  }

  /**
   * Adds a row in the state `intent`.
   *
   * @param finishes row of the inbound message that becomes `handled` with it
   * @throws WireError `not_ready` where the store does not take it, and the policy is not `unsaved`
   */
  addIntent(record: OutboundRecord, finishes: string | undefined, policy: StoreFailurePolicy): Awaitable<IntentResult> {
    const added = (known: KnownSend | undefined): IntentResult => ({ stored: true, known })
    const failed = (error: unknown): Awaitable<IntentResult> => this.#intentFailed(error, record, finishes, policy)
    try {
      const adding = this.#write((store) => store.addIntent(record, finishes))
      return adding instanceof Promise ? adding.then(added, failed) : added(adding)
    } catch (error) {
      return failed(error)
    }
  }

  #intentFailed(
    error: unknown,
    record: OutboundRecord,
    finishes: string | undefined,
    policy: StoreFailurePolicy,
  ): Awaitable<IntentResult> {
    if (policy === 'unsaved') {
      this.#telemetry.counters.unsaved++
      this.#ctx.log.warn(`failed to store a message, sending it anyway: ${messageOf(error)}`)
      if (record.id !== '') this.#uncertain.add(record.id)
      return { stored: false, known: undefined }
    }
    if (policy === 'waits' && isUnavailable(error)) return this.#addLater(record, finishes)
    // The row may be in the store. Nothing may send it, since the caller learns that it failed.
    this.#pending.add((store) => store.finishSending(record.id, { state: 'failed', error: messageOf(error) }))
    throw error
  }

  async #addLater(record: OutboundRecord, finishes: string | undefined): Promise<IntentResult> {
    try {
      const add = (): Awaitable<KnownSend | undefined> => this.#store.require().addIntent(record, finishes)
      return { stored: true, known: await this.#pending.persist(add, RECOVERY_AGE_MS) }
    } catch (error) {
      // A message with a key is sent once however often it is repeated, so its row may be sent where there is one.
      if (record.key !== undefined && isUnavailable(error)) throw error
      this.#pending.add((store) => store.finishSending(record.id, { state: 'failed', error: messageOf(error) }))
      throw error
    }
  }

  /** Calls the store after all pending writes. */
  #write<T>(call: (store: MessageStore) => Awaitable<T>): Awaitable<T> {
    const flushing = this.#pending.flush()
    if (flushing) return flushing.then(() => call(this.#store.require()))
    return call(this.#store.require())
  }

  /**
   * Adds a row in the state `draft`.
   *
   * @returns the earlier row with the same key
   * @throws WireError `not_ready` while the store is unavailable
   */
  async addDraft(record: OutboundRecord): Promise<KnownSend | undefined> {
    return this.#write((store) => store.addDraft(record))
  }

  /** Stores what a draft shows and where; an empty id means that no message shows it. */
  async updateDraft(
    id: string,
    messageId: string,
    segments: readonly Segment[],
    text: string,
    sentParts?: readonly string[],
  ): Promise<void> {
    await this.#store.current?.updateDraft(id, messageId, segments, text, sentParts)
  }

  /**
   * Draft → the outcome. Waits while the store is unavailable: its owner ends with it, and no one else decides about a
   * draft.
   *
   * @throws WireError `not_ready` where the store stayed unavailable
   */
  async endDraft(record: OutboundRecord, outcome: SendOutcome): Promise<void> {
    const event = this.#ctx.hasListeners(publish) ? outboundEvent(record, outcome) : undefined
    await this.#pending.persist(() => this.#store.require().finishSending(record.id, outcome, event), RECOVERY_AGE_MS)
    this.#telemetry.countOutcome(record, outcome.state)
  }

  /**
   * Ends a draft as `unknown` if the platform may show the whole of it already, though no message is known.
   *
   * @param unclear what the platform may show, and why that is not known
   * @returns whether it has ended
   * @throws WireError `not_ready` where the store stayed unavailable
   */
  async endIfShown(record: OutboundRecord, { text, error }: UnclearShow): Promise<boolean> {
    if (record.messageId !== undefined || text === undefined || text === '' || text !== record.text) return false
    await this.endDraft(record, { state: 'unknown', error })
    return true
  }

  /**
   * Draft → intent, with the content of the record. Waits while the store is unavailable.
   *
   * @returns false where another call has completed the draft
   * @throws WireError `not_ready` where the store stayed unavailable
   */
  completeDraft(record: OutboundRecord): Promise<boolean> {
    let isTried = false
    return this.#pending.persist(async () => {
      const store = this.#store.require()
      const wasTried = isTried
      isTried = true
      // A try without an answer may have completed the draft. Only one call can begin to send it anyway.
      return (await store.completeDraft(record)) || wasTried
    }, RECOVERY_AGE_MS)
  }

  /**
   * Intent → sending. Only a message that this call has changed may be sent.
   *
   * @throws WireError `not_ready` where the store does not take it; the row is an intent again when it does
   */
  startSending(record: OutboundRecord, since: number): Awaitable<boolean> {
    const failed = (error: unknown): never => {
      // The change may have been written anyway.
      this.#pending.add((store) => store.requeue(record.id, undefined, progressOf(record)))
      throw isUnavailable(error) ? error : new WireError('not_ready', messageOf(error), { cause: error })
    }
    try {
      const starting = this.#write((store) => store.startSending(record.id, record.unclearSince ?? since))
      return starting instanceof Promise ? starting.catch(failed) : starting
    } catch (error) {
      return failed(error)
    }
  }

  /**
   * Sending → intent, for a message that the platform has not taken. Never rejects.
   *
   * @param notBefore time before which the platform takes nothing, in milliseconds since the epoch
   */
  async requeue(record: OutboundRecord, notBefore?: number): Promise<void> {
    try {
      await this.#store.require().requeue(record.id, notBefore, progressOf(record))
    } catch (error) {
      this.#unsaved(error)
      this.#pending.add((store) => store.requeue(record.id, notBefore, progressOf(record)))
    }
  }

  /**
   * Intent → failed, for a message of which the platform has got nothing yet.
   *
   * @returns whether this call changed it; otherwise it is being sent, or has ended
   * @throws WireError `not_ready` while the store is unavailable
   */
  async withdraw(record: OutboundRecord): Promise<boolean> {
    const outcome = { state: 'failed', error: WITHDRAWN } as const
    const event = this.#ctx.hasListeners(publish) ? outboundEvent(record, outcome) : undefined
    const changed = await this.#write((store) => store.withdraw(record.id, outcome.error, event))
    if (changed) this.#telemetry.countOutcome(record, outcome.state)
    return changed
  }

  /**
   * Draft, intent or sending → the outcome. The stream event is published with the same commit, or at once where the
   * row is not in the store. Never rejects.
   */
  finish(record: OutboundRecord, outcome: SendOutcome, stored: boolean): Awaitable<void> {
    this.#telemetry.countOutcome(record, outcome.state)
    const event = this.#ctx.hasListeners(publish) ? outboundEvent(record, outcome) : undefined
    if (stored) return this.#finish(record.id, outcome, event)
    if (event) this.#ctx.emit(publish, event)
    if (this.#uncertain.delete(record.id)) this.#pending.add((store) => store.finishSending(record.id, outcome))
  }

  #finish(id: string, outcome: SendOutcome, event: Publication | undefined): Awaitable<void> {
    const failed = (error: unknown): void => {
      this.#unsaved(error)
      this.#pending.add((store) => store.finishSending(id, outcome, event))
    }
    try {
      const finishing = this.#store.require().finishSending(id, outcome, event)
      return finishing instanceof Promise ? finishing.catch(failed) : undefined
    } catch (error) {
      failed(error)
    }
  }

  /**
   * Returns the messages of an endpoint that no work is in progress on, and ends those that cannot be sent.
   *
   * @param settlesForMs see {@link MessageStore.recoverOutbound}
   */
  async recover(key: EndpointKey, settlesForMs: number): Promise<RecoveredSends> {
    const hasListeners = this.#ctx.hasListeners(publish)
    const eventOf = (record: OutboundRecord, outcome: SendOutcome): Publication | undefined =>
      hasListeners ? outboundEvent(record, outcome) : undefined
    const recovered = await this.#write((store) => store.recoverOutbound(key, eventOf, settlesForMs))
    for (const { record, state } of recovered.ended) this.#telemetry.countOutcome(record, state)
    return recovered
  }

  #unsaved(error: unknown): void {
    this.#telemetry.counters.unsaved++
    this.#ctx.log.warn(`failed to store the delivery state of a message, trying again: ${messageOf(error)}`)
  }
}

/** Returns how far a message is, or `undefined` where no attempt has left anything behind. */
function progressOf({ unclearSince, sentParts }: OutboundRecord): SendProgress | undefined {
  if (unclearSince === undefined && sentParts === undefined) return undefined
  return omitUndefined({ unclearSince, sentParts })
}
