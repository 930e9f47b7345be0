import { messageOf, type BaseContext, type Clock } from '@mynah/kernel'
import { omitUndefined, type Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Channel, Content } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import type { Draft, Outgoing } from '../api/points.js'
import { withOutboundReply } from '../api/reply-context.js'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import type { ActiveStore } from '../store/active-store.js'
import { Signal } from '../util/signal.js'
import type { ContentBuilder } from './content-builder.js'
import { DraftView } from './draft-view.js'
import { receiptOf, type SendRequest } from './sender.js'
import { textOf, type TransmissionContext } from './transmission.js'
import type { Transmitter } from './transmitter.js'

/** Shortest time between two edits, ms. */
const EDIT_INTERVAL_MS = 1_000

/** A request for a draft, which always has a key. */
export type DraftRequest = SendRequest & { readonly key: string }

/** Starts messages that are edited while their text grows, or continues them under their key. */
export class Drafts {
  /** A draft was sent for good. */
  readonly completed = new Signal<SendRequest>()
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #endpoints: Endpoints
  readonly #builder: ContentBuilder
  readonly #transmissions: TransmissionContext
  readonly #transmitter: Transmitter

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    endpoints: Endpoints,
    builder: ContentBuilder,
    transmissions: TransmissionContext,
    transmitter: Transmitter,
  ) {
    this.#ctx = ctx
    this.#store = store
    this.#endpoints = endpoints
    this.#builder = builder
    this.#transmissions = transmissions
    this.#transmitter = transmitter
  }

  /** Returns a draft, or `undefined` where the endpoint cannot edit or is offline. */
  async start(endpoint: Endpoint, target: Channel, request: DraftRequest): Promise<Draft | undefined> {
    const { bot } = endpoint
    if (typeof bot?.edit !== 'function' || endpoint.status !== 'online') return undefined
    const record: OutboundRecord = {
      id: this.#store.require().newId(),
      adapter: endpoint.adapter,
      endpoint: endpoint.id,
      channel: target,
      segments: [],
      text: '',
      timestamp: this.#ctx.clock.now(),
      key: request.key,
      ...omitUndefined({ answers: request.answers, replyTo: request.replyTo, via: request.via }),
    }
    const known = await this.#transmissions.states.addDraft(record)
    if (!known) return this.#run(record, request)
    // The intent of an earlier call is sent by the recovery, and nothing can be added to it.
    if (known.state !== 'draft') return settled(() => receiptOf(known), known.messageId)
    const { id, timestamp, messageId, text = '' } = known
    return this.#run({ ...record, id, timestamp, text, ...(messageId === '' ? {} : { messageId }) }, request)
  }

  #run(record: OutboundRecord, request: SendRequest): Draft {
    const view = new DraftView(this.#transmissions, record)
    return new RunningDraft(this, record, view, request)
  }

  get clock(): Clock {
    return this.#ctx.clock
  }

  /** Builds what a draft shows. Its end is post-processed, as any reply is. */
  async build(
    { adapter, endpoint, channel }: OutboundRecord,
    content: Content,
    reply?: SendRequest['reply'],
  ): Promise<Outgoing | undefined> {
    const build = (): Awaitable<Outgoing | undefined> =>
      this.#builder.build(this.#endpoints.get(adapter, endpoint), channel, content, reply)
    return reply ? withOutboundReply(reply, build) : build()
  }

  /** Shows a part of a draft. */
  async show(view: DraftView, record: OutboundRecord, content: Content): Promise<void> {
    const outgoing = await this.build(record, content)
    const endpoint = this.#endpoints.find(record.adapter, record.endpoint)
    if (!outgoing || endpoint?.status !== 'online') return
    if (endpoint.outbox.heldUntil(record.channel) <= this.#ctx.clock.now()) await view.show(endpoint, outgoing)
  }

  /**
   * Sends the whole of a draft: an edit where a message shows a part of it.
   *
   * @param view the message on the platform
   */
  async complete(record: OutboundRecord, outgoing: Outgoing, view: DraftView, request: SendRequest): Promise<Receipt> {
    const timestamp = this.#ctx.clock.now()
    const shownBefore = view.isContinued
    const isShown = !shownBefore && view.isShown(outgoing)
    const delivery = { asText: true, shownBefore }
    const intent: OutboundRecord = { ...record, segments: outgoing.segments, text: textOf(outgoing), timestamp }
    const { states } = this.#transmissions
    const { unclear } = view
    if (unclear && (await states.endIfShown(intent, unclear)))
      throw new WireError('upstream_unavailable:unknown', `It is unknown whether the message arrived: ${unclear.error}`)
    if (!(await states.completeDraft(intent)))
      throw new WireError('conflict', 'Another call has completed this message')
    const { outbox } = this.#endpoints.get(record.adapter, record.endpoint)
    const { trace } = request
    const receipt = await outbox.enqueue(record.channel, () =>
      this.#transmitter.transmit(intent, outgoing, { stored: true, mayWait: true, delivery, isShown, trace }),
    )
    this.completed.emit(request)
    return receipt
  }

  /**
   * Ends a draft of which nothing is to be sent.
   *
   * @throws WireError `not_ready` where the store stayed unavailable
   */
  async drop(record: OutboundRecord, error: string): Promise<void> {
    await this.#transmissions.states.endDraft(record, { state: 'failed', error })
  }

  /** Logs why the updates of a draft have stopped. Its end tries once more, and reports what went wrong. */
  logFailure(record: OutboundRecord, error: unknown): void {
    this.#ctx.log.debug(`failed to show a draft: ${messageOf(error)}`, { endpoint: record.endpoint })
  }
}

/** Returns a draft that has ended before. */
function settled(outcome: () => Receipt, messageId: string): Draft {
  return { messageId: messageId || undefined, update() {}, end: async () => outcome() }
}

class RunningDraft implements Draft {
  readonly #drafts: Drafts
  readonly #record: OutboundRecord
  readonly #view: DraftView
  readonly #request: SendRequest
  #next: Content | undefined
  #showing: Promise<void> | undefined
  #ended = false
  #failed = false
  #lastEditAt = -Infinity
  #skipPause: (() => void) | undefined

  constructor(drafts: Drafts, record: OutboundRecord, view: DraftView, request: SendRequest) {
    this.#drafts = drafts
    this.#record = record
    this.#view = view
    this.#request = request
    request.trace?.hold()
  }

  get messageId(): string | undefined {
    return this.#view.messageId
  }

  update(content: Content): void {
    if (this.#ended || this.#failed) return
    this.#next = content
    this.#showing ??= this.#showUpdates().finally(() => {
      this.#showing = undefined
    })
  }

  async #showUpdates(): Promise<void> {
    const { clock } = this.#drafts
    while (this.#next !== undefined && !this.#ended) {
      try {
        await this.#pause()
        const content = this.#next
        if (content === undefined || this.#ended) return
        this.#next = undefined
        await this.#drafts.show(this.#view, this.#record, content)
        this.#lastEditAt = clock.now()
      } catch (error) {
        this.#failed = true
        this.#drafts.logFailure(this.#record, error)
        return
      }
    }
  }

  /**
   * Waits for the time between two edits, or until the draft ends.
   *
   * @throws KernelError while the plugin stops
   */
  #pause(): Promise<void> {
    const { clock } = this.#drafts
    const left = this.#lastEditAt + EDIT_INTERVAL_MS - clock.now()
    if (left <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.setTimeout(resolve, Math.min(left, EDIT_INTERVAL_MS))
      this.#skipPause = () => {
        cancel()
        resolve()
      }
    })
  }

  async end(content: Content): Promise<Receipt> {
    this.#ended = true
    this.#skipPause?.()
    await this.#showing
    const { trace, reply } = this.#request
    try {
      const outgoing = await this.#build(content, reply)
      if (!outgoing) {
        await this.#drafts.drop(this.#record, 'a listener of before.sendMessage held it back')
        return { messageId: '', timestamp: this.#record.timestamp }
      }
      const { messageId } = this.#view
      const record = messageId === undefined ? this.#record : { ...this.#record, messageId }
      return await this.#drafts.complete(record, outgoing, this.#view, this.#request)
    } finally {
      trace?.release()
    }
  }

  async #build(content: Content, reply: SendRequest['reply']): Promise<Outgoing | undefined> {
    try {
      return await this.#drafts.build(this.#record, content, reply)
    } catch (error) {
      await this.#drafts.drop(this.#record, messageOf(error))
      throw error
    }
  }
}
