// Answers that grow in one message: an intent under a key, one message on the platform, edits at most once a second, one end.
import { messageOf, toError, type Clock, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { OutboundMessage } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import type { Draft, Outgoing } from '../api/points.js'
import { renderToPlainText } from '../api/segments.js'
import type { MessageStore, OutboundRecord } from '../api/store.js'
import { isSendError, type Transmitter } from './transmitter.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ContentBuilder } from './content-builder.js'
import type { ContentAdapter } from './content-adapter.js'
import { outcomeOf, type SendRequest } from './sender.js'

const EDIT_EVERY_MS = 1_000

export interface DraftsDeps {
  readonly store: () => MessageStore | undefined
  readonly preparing: ContentBuilder
  readonly presenting: ContentAdapter
  readonly delivering: Transmitter
  readonly find: (adapter: string, id: string) => Endpoint | undefined
  readonly sent: (outgoing: Outgoing & Receipt) => void
  readonly clock: Clock
  readonly log: Logger
}

/** Begins drafts, or goes on with those that stand under their key. */
export class Drafts {
  readonly #deps: DraftsDeps

  constructor(deps: DraftsDeps) {
    this.#deps = deps
  }

  async begin(
    endpoint: Endpoint,
    target: Channel,
    request: SendRequest & { readonly key: string },
  ): Promise<Draft | undefined> {
    const { bot } = endpoint
    if (typeof bot?.edit !== 'function' || endpoint.status !== 'online') return undefined
    const store = this.#deps.store()
    if (!store)
      throw new WireError('not_ready', 'The message store is not ready, so that nothing can be sent just once')
    const record: OutboundRecord = {
      id: store.newId(),
      adapter: endpoint.adapter,
      endpoint: endpoint.id,
      channel: target,
      segments: [],
      text: '',
      timestamp: this.#deps.clock.now(),
      key: request.key,
      ...(request.answers === undefined ? {} : { answers: request.answers }),
      ...(request.replyTo === undefined ? {} : { replyTo: request.replyTo }),
    }
    const known = await store.addIntent(record)
    if (!known) return new RunningDraft(this.#deps, record, request, undefined)
    if (known.state === 'sent' || known.state === 'failed') return settled(() => outcomeOf(known), known.messageId)
    // Without an id nobody knows whether there is a message to go on with.
    if (known.messageId === '' && known.state !== 'intent')
      return settled(() => outcomeOf({ ...known, state: 'unknown' }), '')
    await store.reopen(known.id)
    return new RunningDraft(
      this.#deps,
      { ...record, id: known.id, timestamp: known.timestamp },
      request,
      known.messageId || undefined,
    )
  }
}

/** A draft that has ended before. */
function settled(outcome: () => Receipt, messageId: string): Draft {
  return { messageId: messageId || undefined, update() {}, end: async () => outcome() }
}

class RunningDraft implements Draft {
  readonly #deps: DraftsDeps
  readonly #record: OutboundRecord
  readonly #request: SendRequest
  messageId: string | undefined
  #next: Content | undefined
  #running: Promise<void> | undefined
  #ended = false
  #shownAt = -Infinity
  #shown = ''
  /** Why it shows no more. */
  #failure: Error | undefined
  #cancelPause: (() => void) | undefined

  constructor(deps: DraftsDeps, record: OutboundRecord, request: SendRequest, messageId: string | undefined) {
    this.#deps = deps
    this.#record = record
    this.#request = request
    this.messageId = messageId
    request.trace?.hold()
  }

  update(content: Content): void {
    if (this.#ended || this.#failure) return
    this.#next = content
    this.#running ??= this.#show().finally(() => {
      this.#running = undefined
    })
  }

  async #show(): Promise<void> {
    while (this.#next !== undefined && !this.#ended) {
      await this.#pause()
      const content = this.#next
      if (content === undefined || this.#ended) return
      this.#next = undefined
      try {
        const outgoing = await this.#prepare(content)
        if (outgoing) await this.#put(outgoing)
      } catch (error) {
        // What went wrong is told at the end, which tries once more.
        this.#failure = toError(error)
        this.#deps.log.debug(`a draft could not be shown: ${messageOf(error)}`, { endpoint: this.#record.endpoint })
        return
      }
    }
  }

  /** Waits until a second has passed since the last edit, or the end is asked for. */
  #pause(): Promise<void> {
    const left = this.#shownAt + EDIT_EVERY_MS - this.#deps.clock.now()
    if (left <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.setTimeout(resolve, left)
      this.#cancelPause = () => {
        cancel()
        resolve()
      }
    })
  }

  #prepare(content: Content, polish?: SendRequest['polish']): Promise<Outgoing | undefined> {
    const endpoint = this.#endpoint()
    return Promise.resolve(this.#deps.preparing.prepare(endpoint, this.#record.channel, content, polish))
  }

  #endpoint(): Endpoint {
    const endpoint = this.#deps.find(this.#record.adapter, this.#record.endpoint)
    if (!endpoint || endpoint.status !== 'online')
      throw new WireError('not_ready', `The endpoint "${this.#record.endpoint}" is away`)
    return endpoint
  }

  /** Makes the platform's message say this. */
  async #put(outgoing: Outgoing): Promise<void> {
    const { id, channel, replyTo, timestamp } = this.#record
    const text = renderToPlainText(outgoing.segments as Segment[])
    const said = JSON.stringify(outgoing.segments)
    if (said === this.#shown) return
    const endpoint = this.#endpoint()
    const segments = await this.#deps.presenting.presentText(endpoint, outgoing.segments)
    const message: OutboundMessage = { segments, text, ...(replyTo === undefined ? {} : { replyTo }) }
    const store = this.#deps.store()
    if (this.messageId === undefined) {
      await endpoint.outbox.enqueue(`${channel.type}:${channel.id}`, async () => {
        await store?.startSending(id)
        const result = await endpoint.bot?.send(outgoing.target, message)
        this.messageId = (result ? result.messageId : undefined) ?? `${endpoint.id}-${timestamp.toString(36)}`
      })
      await store?.updateDraft(id, this.messageId ?? '', outgoing.segments, text)
    } else {
      try {
        await endpoint.bot?.edit?.(outgoing.target, this.messageId, message)
      } catch (error) {
        // It was deleted, or is too old: nobody would see the answer. What it says in the end is a message of its own then.
        if (!this.#ended || !isSendError(error) || error.kind !== 'refused') throw error
        const unfinished = this.messageId
        this.messageId = undefined
        // A stop from here on leaves it unknown whether that was sent, as with any message.
        await store?.updateDraft(id, '', outgoing.segments, text)
        await this.#put(outgoing)
        // After the whole stands: a stop in between leaves the beginning twice, and never nothing.
        await endpoint.bot?.recall?.(outgoing.target, unfinished).catch((failure: unknown) =>
          this.#deps.log.debug(`the beginning of an answer stands above the whole: ${messageOf(failure)}`, {
            endpoint: endpoint.id,
          }),
        )
        return
      }
    }
    this.#shown = said
    this.#shownAt = this.#deps.clock.now()
  }

  async end(content: Content): Promise<Receipt> {
    this.#ended = true
    this.#cancelPause?.()
    await this.#running
    const { trace } = this.#request
    const { delivering } = this.#deps
    const { id, endpoint, timestamp } = this.#record
    try {
      const outgoing = await this.#prepare(content, this.#request.polish)
      if (!outgoing) {
        await delivering.ended(
          this.#record,
          { state: 'failed', error: 'a listener of before.sendMessage held it back' },
          true,
        )
        return { messageId: '', timestamp }
      }
      await this.#put(outgoing)
      const record = {
        ...this.#record,
        segments: outgoing.segments,
        text: renderToPlainText(outgoing.segments as Segment[]),
      }
      const messageId = this.messageId ?? ''
      await this.#deps.store()?.updateDraft(id, messageId, record.segments, record.text)
      await delivering.ended(record, { state: 'sent', messageId }, true)
      if (trace) trace.replies++
      trace?.step('send', endpoint, 'sent')
      this.#deps.sent({ ...outgoing, messageId, timestamp })
      return { messageId, timestamp }
    } catch (error) {
      const definite = isSendError(error) || this.messageId !== undefined
      await delivering.ended(this.#record, { state: definite ? 'failed' : 'unknown', error: messageOf(error) }, true)
      trace?.step('send', endpoint, definite ? 'failed' : 'unknown', messageOf(error))
      throw error
    } finally {
      trace?.release()
    }
  }
}
