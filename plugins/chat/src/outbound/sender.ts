// The way out: prepared and stored when it is called, then the platform's turn, in order within the channel.
import { WireError } from '@mynah/contract'
import { messageOf, type Logger } from '@mynah/kernel'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import type { Outgoing } from '../api/points.js'
import { renderToPlainText } from '../api/segments.js'
import type { KnownSend, MessageStore, OutboundRecord } from '../api/store.js'
import { andThen, type Awaitable } from '../util/and-then.js'
import type { Transmitter } from './transmitter.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Mutable } from '../util/mutable.js'
import type { Polish, ContentBuilder } from './content-builder.js'
import type { TraceBuilder } from '../traces.js'

/** How one message is sent. */
export interface SendRequest {
  /** See {@link SendOptions.key}. */
  readonly key?: string
  /** Row of the message that it answers. */
  readonly answers?: string
  /** Platform id of that message. */
  readonly replyTo?: string
  readonly polish?: Polish
  /** With the intent, the handling of the answered message ends. */
  readonly ends?: boolean
  readonly trace?: TraceBuilder
}

/** What the sender of an answer says of it; the rest follows from the message. */
export type AnswerOptions = Pick<SendRequest, 'key' | 'polish' | 'ends'>

/** A message that is stored and waits for its turn, or was held back, or stands there already. */
export interface Intended {
  readonly record: OutboundRecord
  readonly outgoing: Outgoing | undefined
  /** It is in the store. */
  readonly stored: boolean
  readonly known: KnownSend | undefined
}

export interface Started {
  /** Resolves when its intent is stored; rejects where there is nothing to send. */
  readonly intended: Awaitable<Intended>
  /** Resolves when the platform has it, or it waits for its endpoint. */
  readonly receipt: Promise<Receipt>
}

export interface SendingDeps {
  /** The store to write to; `undefined` while the durable one is away. */
  readonly store: () => MessageStore | undefined
  readonly preparing: ContentBuilder
  readonly delivering: Transmitter
  readonly now: () => number
  readonly log: Logger
  readonly counters: { unsaved: number }
}

/** Whether a message may wait for an endpoint that is away: one that somebody sends and watches is refused instead. */
export const mayWait = ({ key, answers }: SendRequest): boolean => key !== undefined || answers !== undefined

export class Sender {
  readonly #deps: SendingDeps
  /** Keyed messages on their way, so that a second call meets the first. */
  readonly #underKey = new Map<string, Started>()

  constructor(deps: SendingDeps) {
    this.#deps = deps
  }

  /** Sends in the name of an endpoint, in order within the channel. */
  send(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest = {}): Promise<Receipt> {
    try {
      return this.start(endpoint, target, content, request).receipt
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** As {@link Sender.send}, for who waits for the intent and not for the platform. */
  start(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): Started {
    const { key } = request
    if (key === undefined) return this.#start(endpoint, target, content, request)
    const name = `${endpoint.adapter}|${endpoint.id}|${key}`
    let started = this.#underKey.get(name)
    if (!started) {
      started = this.#start(endpoint, target, content, request)
      this.#underKey.set(name, started)
      const forget = (): void => void this.#underKey.delete(name)
      started.receipt.then(forget, forget)
    }
    return started
  }

  #start(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): Started {
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
      const intended = this.#intend(endpoint, target, content, request)
      // Its turn tells why; until then nobody else may be listening.
      if (intended instanceof Promise) intended.catch(() => {})
      const receipt = endpoint.outbox.enqueue(`${target.type}:${target.id}`, () => this.#turn(intended, request))
      return { intended, receipt }
    } catch (error) {
      request.trace?.release()
      throw error
    }
  }

  #intend(endpoint: Endpoint, target: Channel, content: Content, request: SendRequest): Awaitable<Intended> {
    const { now, preparing } = this.#deps
    const store = this.#deps.store()
    if (!store && request.key !== undefined)
      throw new WireError('not_ready', 'The message store is not ready, so that nothing can be sent just once')
    // Taken at the call: a row tells when it was said, however long the platform takes.
    const id = store?.newId() ?? ''
    const timestamp = now()
    return andThen(preparing.prepare(endpoint, target, content, request.polish), (outgoing) => {
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
      return outgoing
        ? this.#stored(store, record, outgoing, request)
        : { record, outgoing, stored: false, known: undefined }
    })
  }

  /** Writes the intent. With the store away the message goes out all the same and counts as unsaved, unless it has a key. */
  #stored(
    store: MessageStore | undefined,
    record: OutboundRecord,
    outgoing: Outgoing,
    request: SendRequest,
  ): Awaitable<Intended> {
    const done = (known: KnownSend | undefined): Intended => ({ record, outgoing, stored: store !== undefined, known })
    const unsaved = (error: unknown): Intended => {
      if (request.key !== undefined) throw error
      this.#deps.counters.unsaved++
      this.#deps.log.warn(`a message is sent without being stored: ${messageOf(error)}`)
      return { record, outgoing, stored: false, known: undefined }
    }
    try {
      const intending = store?.addIntent(record, request.ends ? request.answers : undefined)
      return intending instanceof Promise ? intending.then(done, unsaved) : done(intending)
    } catch (error) {
      return unsaved(error)
    }
  }

  async #turn(intending: Awaitable<Intended>, request: SendRequest): Promise<Receipt> {
    const { trace } = request
    try {
      const intended = intending instanceof Promise ? await intending : intending
      const { record, outgoing, known, stored } = intended
      if (!outgoing) {
        trace?.step('send', record.endpoint, 'held', 'a listener of before.sendMessage held it back')
        return { messageId: '', timestamp: record.timestamp }
      }
      if (known) {
        trace?.step('send', record.endpoint, 'known', `stands as ${known.state} under its key`)
        return outcomeOf(known)
      }
      return await this.#deps.delivering.deliver(record, outgoing, { stored, mayWait: mayWait(request), trace })
    } finally {
      trace?.release()
    }
  }

  /** Sends what stands as an intent in the store: a crash left it, or its endpoint was away. */
  resume(endpoint: Endpoint, record: OutboundRecord): Promise<Receipt> {
    const outgoing: Outgoing = {
      adapter: record.adapter,
      endpoint: record.endpoint,
      target: record.channel,
      segments: record.segments,
    }
    return endpoint.outbox.enqueueFirst(`${record.channel.type}:${record.channel.id}`, () =>
      this.#deps.delivering.deliver(record, outgoing, { stored: true, mayWait: true }),
    )
  }
}

/** What the first sending under a key came to. */
export function outcomeOf(known: KnownSend): Receipt {
  const { state, messageId, timestamp, error } = known
  if (state === 'sent') return { messageId, timestamp }
  if (state === 'intent') return { messageId: '', timestamp }
  if (state === 'failed')
    throw new WireError('invalid_request', `The message could not be sent: ${error ?? 'no reason is known'}`)
  throw new WireError(
    'upstream_unavailable:unknown',
    `Nobody knows whether the message arrived: ${error ?? 'it was being sent when the host stopped'}`,
  )
}
