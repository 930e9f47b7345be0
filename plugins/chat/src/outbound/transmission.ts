import type { Awaitable } from '@mynah/kernel/util'
import { messageOf, toError, type BaseContext } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { SendError, type OutboundMessage } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import { messageSend, type Outgoing } from '../api/points.js'
import { renderToPlainText } from '../api/segments.js'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { OutboundStates } from '../store/message-states.js'
import type { TraceBuilder } from '../traces.js'
import type { ContentAdapter } from './content-adapter.js'

const RATE_LIMIT_ATTEMPTS = 5
const RATE_LIMIT_MAX_MS = 60_000

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
  #generatedIds = 0

  constructor(ctx: BaseContext<unknown>, states: OutboundStates, adapter: ContentAdapter) {
    this.ctx = ctx
    this.states = states
    this.adapter = adapter
  }

  /** Returns an id for a message whose platform returned none. */
  generateId({ endpoint, timestamp }: OutboundRecord): string {
    return `${endpoint}-${timestamp.toString(36)}-${(this.#generatedIds++).toString(36)}`
  }
}

/**
 * One outbound message on its way to the platform: first a send, then any number of edits, then one outcome. A message
 * that is not edited has one send; a draft has edits until it is complete.
 */
export class Transmission {
  readonly #context: TransmissionContext
  readonly #stored: boolean
  readonly #trace: TraceBuilder | undefined
  #record: OutboundRecord
  /** Id of the message on the platform, once there is one. */
  messageId: string | undefined
  /** Whether the platform may have received the message. */
  hasLeft = false
  /** The segments that the platform shows, as JSON. */
  #shown = ''

  /**
   * @param stored whether the record is a row of the store
   * @param messageId id of the message that an earlier transmission of the same row has sent
   */
  constructor(
    context: TransmissionContext,
    record: OutboundRecord,
    stored: boolean,
    trace: TraceBuilder | undefined,
    messageId?: string,
  ) {
    this.#context = context
    this.#record = record
    this.#stored = stored
    this.#trace = trace
    this.messageId = messageId
  }

  get record(): OutboundRecord {
    return this.#record
  }

  /** Sends the message, and again as long as the platform refuses it for its rate only. */
  async send(endpoint: Endpoint, outgoing: Outgoing): Promise<void> {
    assertNotEmpty(outgoing)
    const { adapter } = this.#context
    const adapting = adapter.adapt(endpoint, outgoing.segments, this.#trace)
    const segments = adapting instanceof Promise ? await adapting : adapting
    const message = messageFor(this.#record, segments, this.#record.text)
    this.hasLeft = true
    for (let attempt = 1; this.messageId === undefined; attempt++) {
      const { bot } = endpoint
      if (!bot || endpoint.status !== 'online')
        throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
      try {
        const result = await bot.send(outgoing.target, message)
        this.messageId = (result ? result.messageId : undefined) ?? this.#context.generateId(this.#record)
      } catch (error) {
        if (attempt === RATE_LIMIT_ATTEMPTS || !isSendError(error) || error.kind !== 'rate-limited') throw error
        await endpoint.outbox.wait(Math.min(error.retryAfter ?? 1000 * attempt, RATE_LIMIT_MAX_MS))
      }
    }
  }

  /**
   * Makes the platform show these segments: sends a message the first time, and edits it from then on.
   *
   * @returns whether the platform was called, which shows the same segments only once
   */
  async show(endpoint: Endpoint, outgoing: Outgoing): Promise<boolean> {
    assertNotEmpty(outgoing)
    const json = JSON.stringify(outgoing.segments)
    if (json === this.#shown) return false
    const text = textOf(outgoing)
    const message = messageFor(this.#record, await this.#context.adapter.adaptAsText(endpoint, outgoing.segments), text)
    if (this.messageId === undefined) await this.#sendDraft(endpoint, outgoing, message)
    else await endpoint.bot?.edit?.(outgoing.target, this.messageId, message)
    this.#shown = json
    return true
  }

  async #sendDraft(endpoint: Endpoint, outgoing: Outgoing, message: OutboundMessage): Promise<void> {
    const { states } = this.#context
    const { id, channel, timestamp } = this.#record
    await endpoint.outbox.enqueue(`${channel.type}:${channel.id}`, async () => {
      await states.startDraft(this.#record)
      const result = await endpoint.bot?.send(outgoing.target, message)
      this.messageId = (result ? result.messageId : undefined) ?? `${endpoint.id}-${timestamp.toString(36)}`
    })
    await states.updateDraft(id, this.messageId ?? '', outgoing.segments, message.text)
  }

  /** Shows the segments in a new message, since the platform refuses to edit the old one, and deletes that. */
  async replace(endpoint: Endpoint, outgoing: Outgoing): Promise<void> {
    const old = this.messageId
    this.messageId = undefined
    // As with any message, a stop from here on leaves it unknown whether the new one was sent.
    await this.#context.states.updateDraft(this.#record.id, '', outgoing.segments, textOf(outgoing))
    await this.show(endpoint, outgoing)
    // Deleted last: a stop in between shows the text twice instead of never.
    if (old === undefined) return
    await endpoint.bot?.recall?.(outgoing.target, old).catch((error: unknown) =>
      this.#context.ctx.log.debug(`failed to delete the superseded partial message: ${messageOf(error)}`, {
        endpoint: endpoint.id,
      }),
    )
  }

  /** Writes what the message says in the end. */
  async saveFinal(outgoing: Outgoing): Promise<void> {
    const { segments } = outgoing
    const text = textOf(outgoing)
    this.#record = { ...this.#record, segments, text }
    await this.#context.states.updateDraft(this.#record.id, this.messageId ?? '', segments, text)
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
    this.#context.ctx.emit(messageSend, { adapter, endpoint, target, segments, messageId, timestamp })
    return { messageId, timestamp }
  }

  /** Ends the transmission without success. `unknown`: the platform may have received the message. */
  async fail(state: 'failed' | 'unknown', error: string): Promise<void> {
    await this.#context.states.finish(this.#record, { state, error }, this.#stored)
    this.#trace?.step('send', this.#record.endpoint, state, error)
  }

  /** Ends a transmission that was held back before anything was sent. */
  async drop(reason: string): Promise<void> {
    await this.#context.states.finish(this.#record, { state: 'failed', error: reason }, this.#stored)
  }
}

function messageFor({ replyTo }: OutboundRecord, segments: OutboundMessage['segments'], text: string): OutboundMessage {
  return replyTo === undefined ? { segments, text } : { segments, text, replyTo }
}

/** Throws where nothing would be sent, before the platform is called. */
function assertNotEmpty({ segments }: Outgoing): void {
  if (segments.length === 0) throw new WireError('invalid_request', 'The message is empty')
}

const textOf = ({ segments }: Outgoing): string => renderToPlainText([...segments])
