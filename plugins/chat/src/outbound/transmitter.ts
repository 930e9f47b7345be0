// The platform's turn: pace, the mark that it may have left, the adapter, the outcome.
import { messageOf, toError, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Channel } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import { SendError, type Bot, type OutboundMessage } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import type { Outgoing } from '../api/points.js'
import type { MessageStore, OutboundRecord, SendOutcome } from '../api/store.js'
import { andThen } from '../util/and-then.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ContentAdapter } from './content-adapter.js'
import type { TraceBuilder } from '../traces.js'

const RATE_LIMIT_TRIES = 5
const RATE_LIMIT_MAX_MS = 60_000

export interface DeliveringDeps {
  readonly store: () => MessageStore | undefined
  /** The endpoint as it is now: it may have been configured anew since the message was stored. */
  readonly find: (adapter: string, id: string) => Endpoint | undefined
  /** The event that tells what became of a message, where anybody hears it. */
  readonly event: (record: OutboundRecord, outcome: SendOutcome) => Publication | undefined
  /** Publishes an event that no store does. */
  readonly publish: (event: Publication) => void
  /** A message waits for its endpoint. */
  readonly waits: (record: OutboundRecord) => void
  readonly sent: (outgoing: Outgoing & Receipt) => void
  /** A sending ended, for who counts by the minute. */
  readonly counted: (record: OutboundRecord, outcome: SendOutcome) => void
  readonly presenting: ContentAdapter
  readonly log: Logger
  readonly counters: { sent: number; errors: number; unsaved: number; failed: number; unknown: number }
}

export interface DeliverOptions {
  /** It stands in the store. */
  readonly stored: boolean
  /** It waits where its endpoint is away. */
  readonly mayWait: boolean
  readonly trace?: TraceBuilder | undefined
}

// By name: an adapter may come with its own copy of this package.
export const isSendError = (error: unknown): error is SendError => toError(error).name === 'SendError'

export class Transmitter {
  readonly #deps: DeliveringDeps
  #made = 0

  constructor(deps: DeliveringDeps) {
    this.#deps = deps
  }

  async deliver(record: OutboundRecord, outgoing: Outgoing, options: DeliverOptions): Promise<Receipt> {
    const endpoint = this.#deps.find(record.adapter, record.endpoint)
    if (!endpoint || endpoint.status !== 'online')
      return this.#away(
        record,
        options,
        endpoint ? `the endpoint is ${endpoint.status}` : 'the endpoint is not there any more',
      )
    const paced = endpoint.outbox.pace()
    if (paced) await paced
    const { stored, trace } = options
    if (stored) {
      const marked = this.kept(() => this.#deps.store()?.startSending(record.id))
      if (marked instanceof Promise) await marked
    }
    // Whether the platform may have it.
    let left = false
    try {
      const message = this.#rendered(outgoing, record, endpoint, trace)
      const ready = message instanceof Promise ? await message : message
      left = true
      const result = await this.#send(endpoint, outgoing.target, ready)
      const messageId =
        (result ? result.messageId : undefined) ??
        `${endpoint.id}-${record.timestamp.toString(36)}-${(this.#made++).toString(36)}`
      endpoint.counters.sent++
      this.#deps.counters.sent++
      const ending = this.ended(record, { state: 'sent', messageId }, stored)
      if (ending instanceof Promise) await ending
      trace?.step('send', record.endpoint, 'sent')
      const receipt: Receipt = { messageId, timestamp: record.timestamp }
      const { adapter, endpoint: id, target, segments } = outgoing
      this.#deps.sent({ adapter, endpoint: id, target, segments, messageId, timestamp: record.timestamp })
      return receipt
    } catch (thrown) {
      const error = toError(thrown)
      if (isSendError(thrown) && thrown.kind === 'offline') return this.#away(record, options, error.message)
      return this.#failed(
        endpoint,
        record,
        options,
        error,
        !left || isSendError(thrown),
        !left || (isSendError(thrown) && thrown.kind === 'refused'),
      )
    }
  }

  async #failed(
    endpoint: Endpoint,
    record: OutboundRecord,
    { stored, trace }: DeliverOptions,
    error: Error,
    definite: boolean,
    refused: boolean,
  ): Promise<never> {
    endpoint.counters.errors++
    endpoint.lastError = error.message
    this.#deps.counters.errors++
    await this.ended(record, { state: definite ? 'failed' : 'unknown', error: error.message }, stored)
    trace?.step('send', record.endpoint, definite ? 'failed' : 'unknown', error.message)
    if (refused)
      throw new WireError('invalid_request', `The message cannot be sent: ${error.message}`, { cause: error })
    throw new WireError(
      definite ? 'upstream_unavailable' : 'upstream_unavailable:unknown',
      `The platform did not take the message: ${error.message}`,
      { cause: error },
    )
  }

  /** Nothing left: what may wait stands as an intent until its endpoint is back. */
  async #away(record: OutboundRecord, { stored, mayWait, trace }: DeliverOptions, reason: string): Promise<Receipt> {
    const store = this.#deps.store()
    if (mayWait && stored && store) {
      await store.requeue(record.id)
      this.#deps.waits(record)
      trace?.step('send', record.endpoint, 'waits', reason)
      return { messageId: '', timestamp: record.timestamp }
    }
    this.#deps.counters.errors++
    await this.ended(record, { state: 'failed', error: reason }, stored)
    trace?.step('send', record.endpoint, 'failed', reason)
    throw new WireError('not_ready', `The message cannot be sent: ${reason}`)
  }

  /** Writes down what became of a message, and tells it with the same commit. */
  ended(record: OutboundRecord, outcome: SendOutcome, stored: boolean): unknown {
    this.#deps.counted(record, outcome)
    if (outcome.state !== 'sent') this.#deps.counters[outcome.state]++
    const event = this.#deps.event(record, outcome)
    if (stored) return this.kept(() => this.#deps.store()?.finishSending(record.id, outcome, event))
    if (event) this.#deps.publish(event)
    return undefined
  }

  /** Calls the adapter; repeats what the platform refused only for its rate. */
  async #send(endpoint: Endpoint, target: Channel, message: OutboundMessage): ReturnType<Bot['send']> {
    for (let attempt = 1; ; attempt++) {
      const { bot } = endpoint
      if (!bot || endpoint.status !== 'online')
        throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
      try {
        return await bot.send(target, message)
      } catch (error) {
        if (attempt === RATE_LIMIT_TRIES || !isSendError(error) || error.kind !== 'rate-limited') throw error
        await endpoint.outbox.wait(Math.min(error.retryAfter ?? 1000 * attempt, RATE_LIMIT_MAX_MS))
      }
    }
  }

  /** Writes to the store; what cannot be written down is counted and logged, and the message goes its way. */
  kept<T>(write: () => T | Promise<T> | undefined): T | Promise<T | undefined> | undefined {
    try {
      const written = write()
      return written instanceof Promise ? written.catch((error: unknown) => this.#unsaved(error)) : written
    } catch (error) {
      return this.#unsaved(error)
    }
  }

  #unsaved(error: unknown): undefined {
    this.#deps.counters.unsaved++
    this.#deps.log.warn(`what became of a message could not be stored: ${messageOf(error)}`)
    return undefined
  }

  #rendered(
    outgoing: Outgoing,
    { text, replyTo }: OutboundRecord,
    endpoint: Endpoint,
    trace: TraceBuilder | undefined,
  ): OutboundMessage | Promise<OutboundMessage> {
    const message = (segments: OutboundMessage['segments']): OutboundMessage =>
      replyTo === undefined ? { segments, text } : { segments, text, replyTo }
    return andThen(this.#deps.presenting.present(endpoint, outgoing.segments, trace), message)
  }
}
