import { randomBytes } from 'node:crypto'
import { messageOf, toError, type BaseContext } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { SendError, type OutboundMessage } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import { messageSend, type Outgoing } from '../api/points.js'
import { isFormatted, renderToPlainText } from '../api/segments.js'
import { canBeSettled, type OutboundRecord } from '../api/store.js'
import type { Segment } from '@mynah/contract/types'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import type { OutboundStates } from '../store/outbound-states.js'
import type { Telemetry } from '../telemetry.js'
import type { TraceBuilder } from '../traces.js'
import type { Mutable } from '../util/mutable.js'
import type { ContentAdapter } from './content-adapter.js'
import { cutMessage } from './cut-message.js'

/**
 * Time after which the platform has taken a request that was on its way when its connection or the host ended, ms.
 * Until then a message that the platform does not have may still arrive.
 */
const IN_FLIGHT_MS = 20_000
/** Delays before an edit or a deletion is repeated whose outcome is unknown, ms. That does no harm. */
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
  /** Whether this host may act. Asked right before each call of an adapter. */
  readonly mayAct: () => boolean
  readonly #store: ActiveStore
  /** Differs at each start of the host. */
  readonly #keyPrefix = randomBytes(6).toString('base64url')
  #generatedIds = 0
  #generatedKeys = 0
  /** Rows whose last attempt had no answer and may still reach the platform. */
  readonly #inFlight = new Set<string>()
  /** Whether attempts of an earlier process have reached the platform; undefined until the first one is met. */
  #haveEarlierLanded: boolean | undefined

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    states: OutboundStates,
    adapter: ContentAdapter,
    telemetry: Telemetry,
    mayAct: () => boolean,
  ) {
    this.ctx = ctx
    this.states = states
    this.adapter = adapter
    this.telemetry = telemetry
    this.mayAct = mayAct
    this.#store = store
  }

  /** Notes that an attempt had no answer. */
  noteUnclear({ id }: OutboundRecord): void {
    if (this.#inFlight.has(id)) return
    this.#inFlight.add(id)
    this.ctx.clock.setTimeout(() => this.#inFlight.delete(id), IN_FLIGHT_MS)
  }

  /** Whether an attempt without an answer may still reach the platform. The wall clock may have been set forward. */
  mayStillArrive({ id }: OutboundRecord, since: number): boolean {
    if (this.#haveEarlierLanded === undefined) {
      this.#haveEarlierLanded = false
      this.ctx.clock.setTimeout(() => (this.#haveEarlierLanded = true), IN_FLIGHT_MS)
    }
    return !this.#haveEarlierLanded || this.#inFlight.has(id) || this.ctx.clock.now() - since < IN_FLIGHT_MS
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

export interface DeliverOptions {
  /** Whether it is sent as text only, as an edit always is. */
  readonly asText?: boolean | undefined
  /** Whether an earlier process has shown a part of it, whose last edit may still be on its way. */
  readonly shownBefore?: boolean | undefined
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
  /** Whether an earlier attempt may have reached the platform. */
  isUnclear: boolean
  /** Whether an edit had no answer, so that the platform may show the whole. */
  #mayBeEdited = false
  /** Ids of the parts that the platform has taken. */
  readonly sentParts: string[]

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
    this.isUnclear = record.unclearSince !== undefined
    this.sentParts = [...(record.sentParts ?? [])]
  }

  get record(): OutboundRecord {
    return this.#record
  }

  /** Sends the message, or edits the one that shows a part of it. */
  async deliver(endpoint: Endpoint, outgoing: Outgoing, options: DeliverOptions = {}): Promise<void> {
    assertNotEmpty(outgoing)
    const { messageId } = this.#record
    if (messageId === undefined || typeof endpoint.bot?.edit !== 'function')
      return this.#send(endpoint, outgoing, options.asText === true)
    let messages: readonly OutboundMessage[]
    try {
      messages = await this.#edit(endpoint, outgoing, messageId)
    } catch (error) {
      if (!isSendError(error) || error.kind !== 'refused') throw error
      // The message was deleted or is too old to be edited. The text becomes a message of its own.
      return this.#mayBeEdited
        ? this.#replaceWhole(endpoint, outgoing, messageId, error)
        : this.#replacePart(endpoint, outgoing, messageId)
    }
    if (options.shownBefore) void this.#repeatEdit(endpoint, outgoing, messageId, messages[0] as OutboundMessage)
    if (messages.length > 1) await this.#sendRest(endpoint, outgoing, messageId, messages)
    this.messageId = messageId
  }

  async #send(endpoint: Endpoint, outgoing: Outgoing, asText: boolean): Promise<void> {
    const { adapter } = this.#context
    const adapting = asText
      ? adapter.adaptAsText(endpoint, outgoing.segments)
      : adapter.adapt(endpoint, outgoing.segments, this.#trace)
    const segments = adapting instanceof Promise ? await adapting : adapting
    await this.#sendAll(endpoint, outgoing, this.#messages(endpoint, outgoing, segments))
  }

  /** Returns what is sent: one message, or several where it exceeds the limits of the platform. */
  #messages(
    { definition }: Endpoint,
    outgoing: Outgoing,
    segments: readonly Segment[],
  ): readonly [OutboundMessage, ...OutboundMessage[]] {
    const now = this.#now()
    const parts = definition?.limits ? cutMessage(segments, definition.limits) : undefined
    if (!parts || parts.length < 2)
      return [messageFor(this.#record, this.#key, segments, shownText(outgoing, segments, this.#record.text), now)]
    const [first, ...more] = parts.map((part, index) => {
      const record = index === 0 ? this.#record : { ...this.#record, replyTo: undefined }
      return messageFor(record, `${this.#key}-${index + 1}`, part, renderToPlainText([...part]), now)
    })
    return [first as OutboundMessage, ...more]
  }

  /** Sends what the platform has not taken yet, in order. */
  async #sendAll(endpoint: Endpoint, { target }: Outgoing, messages: readonly OutboundMessage[]): Promise<void> {
    for (const message of messages) {
      const index = messages.indexOf(message)
      if (index < this.sentParts.length) continue
      if (index > 0) await endpoint.outbox.pace(this.#record.channel)
      this.sentParts.push(await this.#sendOne(endpoint, target, message))
    }
    this.messageId = this.sentParts[0]
  }

  /** Returns the id of a message on the platform, which is asked first where it may have the message already. */
  async #sendOne(endpoint: Endpoint, target: Outgoing['target'], message: OutboundMessage): Promise<string> {
    const { bot } = endpoint
    if (!bot || endpoint.status !== 'online')
      throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
    const since = this.#record.unclearSince
    if (this.isUnclear && since !== undefined) {
      const found = await bot.find?.(target, message.key, since)
      if (found) return found.messageId
      const now = this.#now()
      // Neither this nor anything after it was sent.
      if (found === null && !this.#context.mayStillArrive(this.#record, since)) this.isUnclear = false
      else if (!canBeSettled(since, endpoint.definition?.repeats?.forMs ?? 0, now))
        throw new Error('the platform does not say whether it has the message')
    }
    this.hasLeft = true
    const result = await bot.send(target, message)
    return (result ? result.messageId : undefined) ?? this.#context.generateId(this.#record)
  }

  /** Shows the first part in the message that is there. Returns all parts. */
  async #edit(endpoint: Endpoint, outgoing: Outgoing, messageId: string): Promise<readonly OutboundMessage[]> {
    const segments = await this.#context.adapter.adaptAsText(endpoint, outgoing.segments)
    const messages = this.#messages(endpoint, outgoing, segments)
    for (let attempt = 0; ; attempt++) {
      const { bot } = endpoint
      if (!bot || endpoint.status !== 'online')
        throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
      this.hasLeft = true
      try {
        await bot.edit?.(outgoing.target, messageId, messages[0])
        return messages
      } catch (error) {
        const delay = EDIT_DELAYS_MS[attempt]
        if (isSendError(error) || delay === undefined) throw error
        this.#mayBeEdited = true
        await endpoint.outbox.wait(delay)
      }
    }
  }

  /** Repeats an edit once no edit of an earlier process can arrive after it. Never rejects. */
  async #repeatEdit(
    endpoint: Endpoint,
    { target }: Outgoing,
    messageId: string,
    message: OutboundMessage,
  ): Promise<void> {
    await endpoint.outbox.wait(IN_FLIGHT_MS)
    if (endpoint.outbox.isLeaving || endpoint.status !== 'online' || !this.#context.mayAct()) return
    try {
      await endpoint.bot?.edit?.(target, messageId, message)
    } catch (error) {
      this.#logFailure('failed to repeat an edit', endpoint, error)
    }
  }

  /** Sends the parts after the one that a draft shows. */
  async #sendRest(
    endpoint: Endpoint,
    outgoing: Outgoing,
    messageId: string,
    messages: readonly OutboundMessage[],
  ): Promise<void> {
    this.sentParts.push(messageId)
    // From here on it is a message in parts: an edit could be repeated, and they cannot.
    await this.#context.states.updateDraft(this.#record.id, '', outgoing.segments, textOf(outgoing), [messageId])
    await this.#sendAll(endpoint, outgoing, messages)
  }

  /** Shows the whole in a new message, since the platform refuses to edit the old one, and deletes that. */
  async #replacePart(endpoint: Endpoint, outgoing: Outgoing, old: string): Promise<void> {
    await this.#sendAsNew(endpoint, outgoing)
    // Deleted last: a stop in between shows a part twice instead of nothing.
    try {
      await this.#recall(endpoint, outgoing, old)
    } catch (error) {
      this.#logFailure('failed to delete the superseded partial message', endpoint, error)
    }
  }

  /** Shows the whole in a new message, once the old one is gone that may show it as well. */
  async #replaceWhole(endpoint: Endpoint, outgoing: Outgoing, old: string, refusal: Error): Promise<void> {
    try {
      if (!endpoint.bot?.recall) throw refusal
      await this.#recall(endpoint, outgoing, old)
    } catch (error) {
      if (isSendError(error) && error.kind !== 'refused') throw error
      // It is unknown what the old one shows.
      throw new Error(messageOf(error), { cause: error })
    }
    await this.#sendAsNew(endpoint, outgoing)
  }

  async #sendAsNew(endpoint: Endpoint, outgoing: Outgoing): Promise<void> {
    // As with any message, a stop from here on leaves it unknown whether the new one was sent.
    await this.#context.states.updateDraft(this.#record.id, '', outgoing.segments, textOf(outgoing))
    await this.#send(endpoint, outgoing, true)
  }

  /** Deletes a message. Repeats that where the platform does not answer, since it does no harm. */
  async #recall(endpoint: Endpoint, { target }: Outgoing, messageId: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await endpoint.bot?.recall?.(target, messageId)
      } catch (error) {
        const delay = EDIT_DELAYS_MS[attempt]
        if (isSendError(error) || delay === undefined) throw error
        await endpoint.outbox.wait(delay)
      }
    }
  }

  #logFailure(what: string, { id: endpoint }: Endpoint, error: unknown): void {
    this.#context.ctx.log.debug(`${what}: ${messageOf(error)}`, { endpoint })
  }

  #now(): number {
    return this.#context.ctx.clock.now()
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
  { replyTo, via, only }: Pick<OutboundRecord, 'via' | 'only'> & { readonly replyTo?: string | undefined },
  key: string,
  segments: OutboundMessage['segments'],
  text: string,
  now: number,
): OutboundMessage {
  const message: Mutable<OutboundMessage> = { segments, text, key }
  if (replyTo !== undefined) message.replyTo = replyTo
  if (via && now < via.until) message.via = via
  if (only !== undefined) message.only = only
  return message
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
