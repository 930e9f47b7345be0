import { randomBytes } from 'node:crypto'
import { messageOf, toError, type BaseContext } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { SendError, type OutboundMessage } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import { messageSend, type Outgoing } from '../api/points.js'
import { isFormatted, renderToPlainText } from '../api/segments.js'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import type { OutboundStates } from '../store/outbound-states.js'
import type { Telemetry } from '../telemetry.js'
import type { TraceBuilder } from '../traces.js'
import type { ContentAdapter } from './content-adapter.js'

/** Delays before an edit is repeated whose outcome is unknown, ms. A repeated edit does no harm. */
const EDIT_DELAYS_MS = [1_000, 5_000]

/**
 * Returns whether an adapter threw a `SendError`. Compared by name: an adapter may have its own copy of this
 * package.
 */
export const isSendError = (error: unknown): error is SendError => toError(error).name === 'SendError'

/** The parts that all transmissions of a host share. */
export class TransmissionContext {
  readonly ctx: BaseContext<unknown>
  readonly states: OutboundStates
  readonly adapter: ContentAdapter
  readonly telemetry: Telemetry
  readonly #store: ActiveStore
  /** Differs at each start of the host. */
  readonly #keyPrefix = randomBytes(6).toString('base64url')
  #generatedIds = 0
  #generatedKeys = 0

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    states: OutboundStates,
    adapter: ContentAdapter,
    telemetry: Telemetry,
  ) {
    this.ctx = ctx
    this.states = states
    this.adapter = adapter
    this.telemetry = telemetry
    this.#store = store
  }

  /** Returns an id for a message whose platform returned none. */
  generateId({ endpoint, timestamp }: OutboundRecord): string {
    return `${endpoint}-${timestamp.toString(36)}-${(this.#generatedIds++).toString(36)}`
  }

  /** Returns the key of a message: its row in a durable store. Rows in memory count from 1 at each start. */
  keyOf({ id }: OutboundRecord): string {
    if (id === '') return `${this.#keyPrefix}-u${(this.#generatedKeys++).toString(36)}`
    return this.#store.current?.durable === false ? `${this.#keyPrefix}-${id}` : id
  }
}

/** One attempt to bring an outbound message to the platform, and its outcome. */
export class Transmission {
  readonly #context: TransmissionContext
  readonly #stored: boolean
  readonly #trace: TraceBuilder | undefined
  readonly #record: OutboundRecord
  readonly #key: string
  /** Id of the message on the platform, once it shows the whole. */
  messageId: string | undefined
  /** Whether the platform may have received the message. */
  hasLeft = false

  /**
   * @param stored whether the record is a row of the store
   * @param key see {@link OutboundMessage.key}
   */
  constructor(
    context: TransmissionContext,
    record: OutboundRecord,
    stored: boolean,
    key: string,
    trace: TraceBuilder | undefined,
  ) {
    this.#context = context
    this.#record = record
    this.#stored = stored
    this.#key = key
    this.#trace = trace
  }

  get record(): OutboundRecord {
    return this.#record
  }

  /**
   * Sends the message, or edits the one that shows a part of it.
   *
   * @param asText whether it is sent as text only, as an edit always is
   */
  async deliver(endpoint: Endpoint, outgoing: Outgoing, asText = false): Promise<void> {
    assertNotEmpty(outgoing)
    const { messageId } = this.#record
    if (messageId === undefined || typeof endpoint.bot?.edit !== 'function')
      return this.#send(endpoint, outgoing, asText)
    try {
      await this.#edit(endpoint, outgoing, messageId)
    } catch (error) {
      if (!isSendError(error) || error.kind !== 'refused') throw error
      // The message was deleted or is too old to be edited. The text becomes a message of its own.
      await this.#replace(endpoint, outgoing, messageId)
    }
  }

  async #send(endpoint: Endpoint, outgoing: Outgoing, asText: boolean): Promise<void> {
    const { adapter } = this.#context
    const adapting = asText
      ? adapter.adaptAsText(endpoint, outgoing.segments)
      : adapter.adapt(endpoint, outgoing.segments, this.#trace)
    const segments = adapting instanceof Promise ? await adapting : adapting
    const message = messageFor(this.#record, this.#key, segments, shownText(outgoing, segments, this.#record.text))
    const { bot } = endpoint
    if (!bot || endpoint.status !== 'online')
      throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
    this.hasLeft = true
    const result = await bot.send(outgoing.target, message)
    this.messageId = (result ? result.messageId : undefined) ?? this.#context.generateId(this.#record)
  }

  async #edit(endpoint: Endpoint, outgoing: Outgoing, messageId: string): Promise<void> {
    const segments = await this.#context.adapter.adaptAsText(endpoint, outgoing.segments)
    const message = messageFor(this.#record, this.#key, segments, shownText(outgoing, segments))
    for (let attempt = 0; this.messageId === undefined; attempt++) {
      const { bot } = endpoint
      if (!bot || endpoint.status !== 'online')
        throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
      this.hasLeft = true
      try {
        await bot.edit?.(outgoing.target, messageId, message)
        this.messageId = messageId
      } catch (error) {
        const delay = EDIT_DELAYS_MS[attempt]
        if (isSendError(error) || delay === undefined) throw error
        await endpoint.outbox.wait(delay)
      }
    }
  }

  /** Shows the whole in a new message, since the platform refuses to edit the old one, and deletes that. */
  async #replace(endpoint: Endpoint, outgoing: Outgoing, old: string): Promise<void> {
    // As with any message, a stop from here on leaves it unknown whether the new one was sent.
    await this.#context.states.updateDraft(this.#record.id, '', outgoing.segments, textOf(outgoing))
    await this.#send(endpoint, outgoing, true)
    // Deleted last: a stop in between shows the text twice instead of never.
    await endpoint.bot?.recall?.(outgoing.target, old).catch((error: unknown) =>
      this.#context.ctx.log.debug(`failed to delete the superseded partial message: ${messageOf(error)}`, {
        endpoint: endpoint.id,
      }),
    )
  }

  /** Ends the transmission with the state `sent`. */
  complete(outgoing: Outgoing): Awaitable<Receipt> {
    const messageId = this.messageId ?? ''
    const finishing = this.#context.states.finish(this.#record, { state: 'sent', messageId }, this.#stored)
    return finishing instanceof Promise
      ? finishing.then(() => this.#announce(outgoing, messageId))
      : this.#announce(outgoing, messageId)
  }

  #announce({ adapter, endpoint, target, segments }: Outgoing, messageId: string): Receipt {
    const { timestamp } = this.#record
    this.#trace?.step('send', this.#record.endpoint, 'sent')
    this.#context.telemetry.countAnswer(this.#record, this.#trace)
    this.#context.ctx.emit(messageSend, { adapter, endpoint, target, segments, messageId, timestamp })
    return { messageId, timestamp }
  }

  /** Ends the transmission without success. `unknown`: the platform may have received the message. */
  async fail(state: 'failed' | 'unknown', error: string): Promise<void> {
    await this.#context.states.finish(this.#record, { state, error }, this.#stored)
    this.#trace?.step('send', this.#record.endpoint, state, error)
  }
}

/** Returns the message that an adapter sends for a record. */
export function messageFor(
  { replyTo }: OutboundRecord,
  key: string,
  segments: OutboundMessage['segments'],
  text: string,
): OutboundMessage {
  return replyTo === undefined ? { segments, text, key } : { segments, text, key, replyTo }
}

/** Returns the text that the platform shows: without marks where it was formatted. */
export const shownText = (
  outgoing: Outgoing,
  adapted: OutboundMessage['segments'],
  written: string = textOf(outgoing),
): string => (outgoing.segments.some(isFormatted) ? renderToPlainText([...adapted]) : written)

/** Throws where nothing would be sent, before the platform is called. */
export function assertNotEmpty({ segments }: Outgoing): void {
  if (segments.length === 0) throw new WireError('invalid_request', 'The message is empty')
}

/** Returns the segments as plain text. */
export const textOf = ({ segments }: Outgoing): string => renderToPlainText([...segments])
