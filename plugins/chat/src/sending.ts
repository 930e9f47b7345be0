// The way out: rendering, polish, `before.sendMessage`, the store's states, the adapter, the receipt.
import { messageOf, type Contribution, type Logger, type Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import { SendError, type Bot, type OutboundMessage } from './api/adapter.js'
import type { Receipt } from './api/message.js'
import type { MessageComponent, Outgoing } from './api/points.js'
import { renderToPlainText, toSegments } from './api/segments.js'
import type { MessageStore, OutboundRecord } from './api/store.js'
import type { Endpoint } from './endpoint.js'
import { deliverMedia, renderSendMessage } from './media.js'

const RATE_LIMIT_TRIES = 5
const RATE_LIMIT_MAX_MS = 60_000
const MAX_COMPONENT_DEPTH = 8

export interface SendOptions {
  readonly answers?: string
  readonly replyTo?: string
  /** Changes the rendered segments first. */
  readonly polish?: (segments: readonly Segment[]) => Promise<readonly Segment[]>
}

export interface SendingDeps {
  /** The store to write to; `undefined` while the durable one is away. */
  readonly store: () => MessageStore | undefined
  readonly components: Reader<MessageComponent>
  /** Passes a message through `before.sendMessage`; `undefined` holds it back. */
  readonly before: (outgoing: Outgoing) => Promise<Outgoing | undefined> | undefined
  readonly sent: (outgoing: Outgoing & Receipt, rowId: string | undefined, text: string) => void
  readonly now: () => number
  readonly log: Logger
  readonly counters: { sent: number; errors: number; unsaved: number }
}

// By name: an adapter may come with its own copy of this package.
const isSendError = (error: unknown): error is SendError => error instanceof Error && error.name === 'SendError'

export class Sending {
  readonly #deps: SendingDeps

  constructor(deps: SendingDeps) {
    this.#deps = deps
  }

  #expand(segments: readonly Segment[], depth = 0): readonly Segment[] {
    if (!segments.some((part) => part.type === 'component')) return segments
    if (depth === MAX_COMPONENT_DEPTH) throw new Error('Message components contain each other without end')
    return toSegments(segments.flatMap((part) => {
      if (part.type !== 'component') return [part]
      const component: Contribution<MessageComponent> | undefined = this.#deps.components.get(String(part.data.name))
      if (!component) throw new Error(`There is no message component named "${String(part.data.name)}"`)
      return this.#expand(toSegments(component.value.render((part.data.props ?? {}) as Record<string, unknown>)), depth + 1)
    }))
  }

  /** Sends in the name of an endpoint, in order within the channel. */
  send(endpoint: Endpoint, target: Channel, content: Content, options: SendOptions = {}): Promise<Receipt> {
    return endpoint.outbox.put(`${target.type}:${target.id}`, () => this.#send(endpoint, target, content, options))
  }

  async #send(endpoint: Endpoint, target: Channel, content: Content, options: SendOptions): Promise<Receipt> {
    if (endpoint.status !== 'online') throw new WireError('not_ready', `The endpoint "${endpoint.id}" is ${endpoint.status}${endpoint.error ? `: ${endpoint.error}` : ''}`)
    if (target.type === 'channel' && endpoint.definition?.guilds && target.parent?.type !== 'guild') throw new WireError('invalid_request', 'A channel message needs `parent`, the guild of the channel', { details: [{ path: 'parent', message: 'is required' }] })
    let segments = this.#expand(renderSendMessage(content))
    if (options.polish) segments = await options.polish(segments)
    let outgoing: Outgoing = { adapter: endpoint.adapter, endpoint: endpoint.id, target, segments }
    const passed = this.#deps.before(outgoing)
    if (passed) {
      const result = await passed
      if (!result || result.segments.length === 0) return { messageId: '', timestamp: this.#deps.now() }
      outgoing = result
    }
    if (outgoing.segments.length === 0) throw new WireError('invalid_request', 'The message is empty', { details: [{ path: 'content', message: 'must not be empty' }] })
    const { now } = this.#deps
    const text = renderToPlainText(outgoing.segments as Segment[])
    const timestamp = now()
    const record: OutboundRecord = { adapter: endpoint.adapter, endpoint: endpoint.id, channel: outgoing.target, segments: outgoing.segments, text, timestamp, ...(options.answers === undefined ? {} : { answers: options.answers }) }
    const store = this.#deps.store()
    const intended = this.#kept(() => store?.intend(record))
    const rowId = intended instanceof Promise ? await intended : intended
    return this.#pass(endpoint, outgoing, rowId, text, timestamp, options.replyTo)
  }

  /** Sends what a crash left as an intent. */
  resume(endpoint: Endpoint, record: OutboundRecord & { readonly id: string }): Promise<Receipt> {
    const outgoing: Outgoing = { adapter: record.adapter, endpoint: record.endpoint, target: record.channel, segments: record.segments }
    return endpoint.outbox.put(`${record.channel.type}:${record.channel.id}`, () => this.#pass(endpoint, outgoing, record.id, record.text, record.timestamp, undefined))
  }

  async #pass(endpoint: Endpoint, outgoing: Outgoing, rowId: string | undefined, text: string, timestamp: number, replyTo: string | undefined): Promise<Receipt> {
    const paced = endpoint.outbox.pace()
    if (paced) await paced
    if (rowId !== undefined) {
      const marked = this.#kept(() => this.#deps.store()?.sending(rowId))
      if (marked instanceof Promise) await marked
    }
    // Whether the platform may have it.
    let left = false
    try {
      const delivered = deliverMedia(outgoing.segments, endpoint.config.outboundMedia ?? 'file')
      const segments = delivered instanceof Promise ? await delivered : delivered
      const rendered: OutboundMessage = replyTo === undefined ? { segments, text } : { segments, text, replyTo }
      left = true
      const result = await this.#deliver(endpoint, outgoing.target, rendered)
      const messageId = (result ? result.messageId : undefined) ?? `${endpoint.id}-${timestamp.toString(36)}-${(this.#made++).toString(36)}`
      endpoint.counters.sent++
      this.#deps.counters.sent++
      if (rowId !== undefined) {
        const kept = this.#kept(() => this.#deps.store()?.sent(rowId, { state: 'sent', messageId }))
        if (kept instanceof Promise) await kept
      }
      const receipt: Receipt = { messageId, timestamp }
      this.#deps.sent({ ...outgoing, ...receipt }, rowId, text)
      return receipt
    } catch (error) {
      endpoint.counters.errors++
      endpoint.lastError = messageOf(error)
      this.#deps.counters.errors++
      const definite = !left || isSendError(error)
      if (rowId !== undefined) await this.#kept(() => this.#deps.store()?.sent(rowId, { state: definite ? 'failed' : 'unknown', error: messageOf(error) }))
      if (isSendError(error) && error.kind === 'offline') throw new WireError('not_ready', messageOf(error), { cause: error })
      if (!left) throw new WireError('invalid_request', `The message cannot be sent: ${messageOf(error)}`, { cause: error })
      throw new WireError('upstream_unavailable', `The platform did not take the message: ${messageOf(error)}`, { cause: error })
    }
  }

  #made = 0

  /** Calls the adapter; repeats what the platform refused only for its rate. */
  async #deliver(endpoint: Endpoint, target: Channel, message: OutboundMessage): ReturnType<Bot['send']> {
    for (let attempt = 1; ; attempt++) {
      const { bot } = endpoint
      if (!bot || endpoint.status !== 'online') throw new SendError('offline', `The endpoint "${endpoint.id}" went offline`)
      try {
        return await bot.send(target, message)
      } catch (error) {
        if (attempt === RATE_LIMIT_TRIES || !isSendError(error) || error.kind !== 'rate-limited') throw error
        await endpoint.outbox.wait(Math.min(error.retryAfter ?? 1000 * attempt, RATE_LIMIT_MAX_MS))
      }
    }
  }

  /** Writes to the store; with the store away the message goes out all the same and counts as unsaved. */
  #kept<T>(write: () => T | Promise<T> | undefined): T | Promise<T | undefined> | undefined {
    try {
      const written = write()
      return written instanceof Promise ? written.catch((error: unknown) => this.#unsaved(error)) : written
    } catch (error) {
      return this.#unsaved(error)
    }
  }

  #unsaved(error: unknown): undefined {
    this.#deps.counters.unsaved++
    this.#deps.log.warn(`a message is sent without being stored: ${messageOf(error)}`)
    return undefined
  }
}
