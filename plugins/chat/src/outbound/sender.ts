import { type BaseContext } from '@mynah/kernel'
import { omitUndefined, type Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { ReplyToken } from '../api/inbound.js'
import type { Receipt } from '../api/message.js'
import type { Outgoing, OutboundReply } from '../api/points.js'
import { renderToPlainText } from '../api/segments.js'
import { STOPPED_SENDING, type KnownSend, type OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import type { OutboundStates, StoreFailurePolicy } from '../store/outbound-states.js'
import type { TraceBuilder } from '../traces.js'
import { andThen } from '../util/and-then.js'
import type { Mutable } from '../util/mutable.js'
import type { ContentBuilder } from './content-builder.js'
import type { Transmitter } from './transmitter.js'

/** How one message is sent. */
export interface SendRequest {
  /** See {@link SendOptions.key}. */
  readonly key?: string
  /** Row of the message that it answers. */
  readonly answers?: string
  /** Platform id of that message. */
  readonly replyTo?: string
  /** Set for replies that are post-processed. */
  readonly reply?: OutboundReply
  /** Whether the answered message becomes `handled` with the intent. */
  readonly finishes?: boolean
  /** Whether the answered message has no row, so that the answer does not wait for the store. */
  readonly unsaved?: boolean
  readonly trace?: TraceBuilder
  /** The right that came with the message that it answers. */
  readonly via?: ReplyToken
  /** Id of the only user who may see it. */
  readonly only?: string
}

/** A message whose content is built. It has a row unless a listener held it back. */
export interface Intent {
  readonly record: OutboundRecord
  /** `undefined` where a listener held the message back. */
  readonly outgoing: Outgoing | undefined
  /** Whether the record is a row of the store. */
  readonly stored: boolean
  /** The earlier row with the same key, where it has ended. */
  readonly known: KnownSend | undefined
}

export interface PendingSend {
  /** Resolves when the intent is stored; rejects where there is nothing to send. */
  readonly intent: Awaitable<Intent>
  /** Resolves when the platform has the message, or it waits for its endpoint. */
  readonly receipt: Promise<Receipt>
}

/** Returns whether a message may wait for an endpoint that is offline. Without key and answer it is refused instead. */
const mayWait = ({ key, answers }: SendRequest): boolean => key !== undefined || answers !== undefined

/** Only the answer to a message without a row is sent where the store is unavailable. */
function policyFor(request: SendRequest): StoreFailurePolicy {
  if (request.unsaved) return 'unsaved'
  return mayWait(request) ? 'waits' : 'fails'
}

/** Builds and stores a message when it is called, and transmits it in the order of its channel. */
export class Sender {
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #states: OutboundStates
  readonly #builder: ContentBuilder
  readonly #transmitter: Transmitter
  /** Messages with a key that are in progress, so that a second call joins the first. */
  readonly #byKey = new Map<string, PendingSend>()

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    states: OutboundStates,
    builder: ContentBuilder,
    transmitter: Transmitter,
  ) {
    this.#ctx = ctx
    this.#store = store
    this.#states = states
    this.#builder = builder
    this.#transmitter = transmitter
  }

  /** Sends a message through an endpoint, in order within the channel. */
  start(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): PendingSend {
    const { key } = request
    if (key === undefined) return this.#start(endpoint, target, content, request)
    const name = `${endpoint.adapter}|${endpoint.id}|${key}`
    let pending = this.#byKey.get(name)
    if (!pending) {
      pending = this.#start(endpoint, target, content, request)
      this.#byKey.set(name, pending)
      const forget = (): void => void this.#byKey.delete(name)
      pending.receipt.then(forget, forget)
    }
    return pending
  }

  #start(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): PendingSend {
    if (!mayWait(request) && endpoint.status !== 'online')
      throw new WireError(
        'not_ready',
        `The endpoint "${endpoint.id}" is ${endpoint.status}${endpoint.error ? `: ${endpoint.error}` : ''}`,
      )
    if (target.type === 'channel' && endpoint.definition?.guilds && target.parent?.type !== 'guild')
      throw new WireError('invalid_request', 'A channel message needs `parent`, the guild of the channel', {
        details: [{ path: 'parent', message: 'is required' }],
      })
    request.trace?.hold()
    try {
      const intent = this.#createIntent(endpoint, target, content, request)
      // The receipt rejects with the same failure; until its turn nothing else handles it.
      if (intent instanceof Promise) intent.catch(() => {})
      const receipt = endpoint.outbox.enqueue(target, () => this.#transmit(intent, request))
      return { intent, receipt }
    } catch (error) {
      request.trace?.release()
      throw error
    }
  }

  #createIntent(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): Awaitable<Intent> {
    const store = this.#store.current
    if (!store && !request.unsaved && mayWait(request))
      return this.#states
        .whenAvailable()
        .then((available) => this.#buildIntent(available.newId(), endpoint, target, content, request))
    return this.#buildIntent(store?.newId() ?? '', endpoint, target, content, request)
  }

  #buildIntent(
    id: string,
    endpoint: Endpoint,
    target: Channel,
    content: Content,
    request: SendRequest,
  ): Awaitable<Intent> {
    // Read at the call: the row has the time of the call, however long the platform takes.
    const timestamp = this.#ctx.clock.now()
    return andThen(this.#builder.build(endpoint, target, content, request.reply), (outgoing) => {
      const segments = outgoing?.segments ?? []
      const record: Mutable<OutboundRecord> = {
        id,
        adapter: endpoint.adapter,
        endpoint: endpoint.id,
        channel: outgoing?.target ?? target,
        segments,
        text: outgoing ? renderToPlainText(segments as Segment[]) : '',
        timestamp,
      }
      if (request.key !== undefined) record.key = request.key
      if (request.answers !== undefined) record.answers = request.answers
      if (request.replyTo !== undefined) record.replyTo = request.replyTo
      if (request.via !== undefined) record.via = request.via
      if (request.only !== undefined) record.only = request.only
      if (!outgoing) return { record, outgoing, stored: false, known: undefined }
      const finishes = request.finishes ? request.answers : undefined
      return andThen(this.#states.addIntent(record, finishes, policyFor(request)), ({ stored, known }) =>
        known ? this.#continue(known, record, outgoing) : { record, outgoing, stored, known },
      )
    })
  }

  /** Continues with the row that has the key already. */
  async #continue(known: KnownSend, record: OutboundRecord, outgoing: Outgoing): Promise<Intent> {
    const { id, state, messageId, notBefore, unclearSince, sentParts } = known
    const shownBy = messageId === '' ? undefined : messageId
    const row = { ...record, id, ...omitUndefined({ notBefore, messageId: shownBy, unclearSince, sentParts }) }
    if (state === 'draft' && (await this.#states.endIfShown(row, { text: known.text, error: STOPPED_SENDING })))
      return { record: row, outgoing, stored: true, known: { ...known, state: 'unknown', error: STOPPED_SENDING } }
    // A draft of an earlier process becomes this message. An intent is sent by the call that comes first.
    const mayBeSent = state === 'intent' || (state === 'draft' && (await this.#states.completeDraft(row)))
    return { record: row, outgoing, stored: true, known: mayBeSent ? undefined : known }
  }

  async #transmit(creating: Awaitable<Intent>, request: SendRequest): Promise<Receipt> {
    const { trace } = request
    try {
      const intent = creating instanceof Promise ? await creating : creating
      const { record, outgoing, known, stored } = intent
      if (!outgoing) {
        trace?.step('send', record.endpoint, 'held', 'a listener of before.sendMessage held it back')
        return { messageId: '', timestamp: record.timestamp }
      }
      if (known) {
        trace?.step('send', record.endpoint, 'known', `a message with this key is ${known.state} already`)
        return receiptOf(known)
      }
      const delivery = { shownBefore: record.messageId !== undefined }
      return await this.#transmitter.transmit(record, outgoing, { stored, mayWait: mayWait(request), delivery, trace })
    } finally {
      trace?.release()
    }
  }

  /** Sends an intent of the store that a stop or an offline endpoint left behind. */
  resume(endpoint: Endpoint, record: OutboundRecord): Promise<Receipt> {
    const outgoing: Outgoing = {
      adapter: record.adapter,
      endpoint: record.endpoint,
      target: record.channel,
      segments: record.segments,
    }
    const delivery = { shownBefore: record.messageId !== undefined }
    return endpoint.outbox.enqueueWaiting(record.channel, (taken) =>
      this.#transmitter.transmit(record, outgoing, { stored: true, mayWait: true, delivery, taken }),
    )
  }
}

/**
 * Returns the outcome of the first message with a key.
 *
 * @throws WireError the failure of that message
 */
export function receiptOf({ state, messageId, timestamp, error }: KnownSend): Receipt {
  if (state === 'sent') return { messageId, timestamp }
  if (state === 'intent') return { messageId: '', timestamp }
  if (state === 'failed')
    throw new WireError('invalid_request', `The message was not sent: ${error ?? 'the reason is unknown'}`)
  throw new WireError(
    'upstream_unavailable:unknown',
    `It is unknown whether the message arrived: ${error ?? 'it was being sent when the host stopped'}`,
  )
}
