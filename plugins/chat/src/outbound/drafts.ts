import { messageOf, toError, type BaseContext } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Channel, Content } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import type { Draft, Outgoing } from '../api/points.js'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import type { ActiveStore } from '../store/active-store.js'
import { Signal } from '../util/signal.js'
import type { ContentBuilder } from './content-builder.js'
import { receiptOf, type SendRequest } from './sender.js'
import { isSendError, Transmission, type TransmissionContext } from './transmission.js'

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
  readonly #context: TransmissionContext

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    endpoints: Endpoints,
    builder: ContentBuilder,
    context: TransmissionContext,
  ) {
    this.#ctx = ctx
    this.#store = store
    this.#endpoints = endpoints
    this.#builder = builder
    this.#context = context
  }

  /** Returns a draft, or `undefined` where the endpoint cannot edit or is offline. */
  async start(endpoint: Endpoint, target: Channel, request: DraftRequest): Promise<Draft | undefined> {
    const { bot } = endpoint
    if (typeof bot?.edit !== 'function' || endpoint.status !== 'online') return undefined
    const store = this.#store.current
    if (!store) throw new WireError('not_ready', 'The message store is not ready, and a message with a key needs it')
    const record: OutboundRecord = {
      id: store.newId(),
      adapter: endpoint.adapter,
      endpoint: endpoint.id,
      channel: target,
      segments: [],
      text: '',
      timestamp: this.#ctx.clock.now(),
      key: request.key,
      ...omitUndefined({ answers: request.answers, replyTo: request.replyTo }),
    }
    const { known } = await this.#context.states.addIntent(store, record, undefined)
    if (!known) return this.#run(record, request)
    if (known.state === 'sent' || known.state === 'failed') return settled(() => receiptOf(known), known.messageId)
    // It was being sent, and without an id it cannot be edited.
    if (known.messageId === '' && known.state !== 'intent')
      return settled(() => receiptOf({ ...known, state: 'unknown' }), '')
    await store.reopen(known.id)
    return this.#run({ ...record, id: known.id, timestamp: known.timestamp }, request, known.messageId || undefined)
  }

  #run(record: OutboundRecord, request: SendRequest, messageId?: string): Draft {
    const transmission = new Transmission(this.#context, record, true, request.trace, messageId)
    return new RunningDraft(this.#ctx, this.#endpoints, this.#builder, transmission, request, this.completed)
  }
}

/** Returns a draft that has ended before. */
function settled(outcome: () => Receipt, messageId: string): Draft {
  return { messageId: messageId || undefined, update() {}, end: async () => outcome() }
}

class RunningDraft implements Draft {
  readonly #ctx: BaseContext<unknown>
  readonly #endpoints: Endpoints
  readonly #builder: ContentBuilder
  readonly #transmission: Transmission
  readonly #request: SendRequest
  readonly #completed: Signal<SendRequest>
  #next: Content | undefined
  #showing: Promise<void> | undefined
  #ended = false
  #lastEditAt = -Infinity
  /** The failure that stopped the updates. */
  #failure: Error | undefined
  #skipPause: (() => void) | undefined

  constructor(
    ctx: BaseContext<unknown>,
    endpoints: Endpoints,
    builder: ContentBuilder,
    transmission: Transmission,
    request: SendRequest,
    completed: Signal<SendRequest>,
  ) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#builder = builder
    this.#transmission = transmission
    this.#request = request
    this.#completed = completed
    request.trace?.hold()
  }

  get messageId(): string | undefined {
    return this.#transmission.messageId
  }

  update(content: Content): void {
    if (this.#ended || this.#failure) return
    this.#next = content
    this.#showing ??= this.#showUpdates().finally(() => {
      this.#showing = undefined
    })
  }

  async #showUpdates(): Promise<void> {
    while (this.#next !== undefined && !this.#ended) {
      await this.#pause()
      const content = this.#next
      if (content === undefined || this.#ended) return
      this.#next = undefined
      try {
        const outgoing = await this.#build(content)
        if (outgoing) await this.#show(outgoing)
      } catch (error) {
        // The end tries once more and reports what went wrong.
        this.#failure = toError(error)
        this.#ctx.log.debug(`failed to show a draft: ${messageOf(error)}`, {
          endpoint: this.#transmission.record.endpoint,
        })
        return
      }
    }
  }

  /** Waits for the time between two edits, or until the draft ends. */
  #pause(): Promise<void> {
    const left = this.#lastEditAt + EDIT_INTERVAL_MS - this.#ctx.clock.now()
    if (left <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#ctx.clock.setTimeout(resolve, left)
      this.#skipPause = () => {
        cancel()
        resolve()
      }
    })
  }

  async #build(content: Content, reply?: SendRequest['reply']): Promise<Outgoing | undefined> {
    return this.#builder.build(this.#endpoint(), this.#transmission.record.channel, content, reply)
  }

  #endpoint(): Endpoint {
    const { adapter, endpoint: id } = this.#transmission.record
    const endpoint = this.#endpoints.find(adapter, id)
    if (!endpoint || endpoint.status !== 'online') throw new WireError('not_ready', `The endpoint "${id}" is offline`)
    return endpoint
  }

  async #show(outgoing: Outgoing): Promise<void> {
    const endpoint = this.#endpoint()
    try {
      if (!(await this.#transmission.show(endpoint, outgoing))) return
    } catch (error) {
      // The message was deleted or is too old to be edited. The final text becomes a message of its own.
      const mayReplace = this.#ended && this.messageId !== undefined && isSendError(error) && error.kind === 'refused'
      if (!mayReplace) throw error
      await this.#transmission.replace(endpoint, outgoing)
    }
    this.#lastEditAt = this.#ctx.clock.now()
  }

  async end(content: Content): Promise<Receipt> {
    this.#ended = true
    this.#skipPause?.()
    await this.#showing
    const transmission = this.#transmission
    const { trace, reply } = this.#request
    try {
      const outgoing = await this.#build(content, reply)
      if (!outgoing) {
        await transmission.drop('a listener of before.sendMessage held it back')
        return { messageId: '', timestamp: transmission.record.timestamp }
      }
      await this.#show(outgoing)
      await transmission.saveFinal(outgoing)
      const receipt = await transmission.complete(outgoing)
      this.#completed.emit(this.#request)
      return receipt
    } catch (error) {
      const isDefinite = isSendError(error) || this.messageId !== undefined
      await transmission.fail(isDefinite ? 'failed' : 'unknown', messageOf(error))
      throw error
    } finally {
      trace?.release()
    }
  }
}
