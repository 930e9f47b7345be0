import type { BaseContext } from '@mynah/kernel'
import type { Channel, Content } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import { beforeSendMessage, type Draft, type OutboundReply, type SendOptions } from '../api/points.js'
import { withOutboundReply } from '../api/reply-context.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import { ReceivedMessage } from '../inbound/received-message.js'
import type { TraceBuilder } from '../traces.js'
import { Signal } from '../util/signal.js'
import type { Mutable } from '../util/mutable.js'
import type { Drafts } from './drafts.js'
import type { PostProcessor } from './post-processor.js'
import type { PendingSend, Sender, SendRequest } from './sender.js'

/** How a message is answered. */
export interface ReplyOptions {
  /** Set for replies that are post-processed and known in the async context. */
  readonly source?: OutboundReply['source']
  readonly key?: string | undefined
  /** Whether the answered message becomes `handled` with the intent of the reply. */
  readonly finishes?: boolean
  /** Whether only the sender of the message may see the reply. */
  readonly onlySender?: boolean | undefined
}

/** The way out: sends messages and drafts, and counts the replies to each inbound message. */
export class Outbound {
  /** Emitted when a reply to a message begins, with the trace of the message. */
  readonly replied = new Signal<TraceBuilder>()
  readonly #ctx: BaseContext<unknown>
  readonly #endpoints: Endpoints
  readonly #sender: Sender
  readonly #drafts: Drafts
  readonly #postProcessor: PostProcessor

  constructor(
    ctx: BaseContext<unknown>,
    endpoints: Endpoints,
    sender: Sender,
    drafts: Drafts,
    postProcessor: PostProcessor,
  ) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#sender = sender
    this.#drafts = drafts
    this.#postProcessor = postProcessor
    drafts.completed.add(({ trace }) => {
      if (trace) this.#countReply(trace)
    })
  }

  /** Replies in the conversation of a message. */
  async reply(message: ReceivedMessage, content: Content, options: ReplyOptions = {}): Promise<Receipt> {
    return this.startReply(message, content, options).receipt
  }

  /** As {@link Outbound.reply}, for callers that wait for the intent instead of the platform. */
  startReply(message: ReceivedMessage, content: Content, options: ReplyOptions): PendingSend {
    const endpoint = this.#endpoints.get(message.adapter, message.endpoint)
    const isPublic = options.onlySender === true && message.channel.type !== 'private'
    const request = isPublic ? privately(requestFor(message, options), message, endpoint) : requestFor(message, options)
    const target = isPublic && request.only === undefined ? privateChannelOf(message) : message.channel
    const start = (): PendingSend => this.#sender.start(endpoint, target, content, request)
    const pending = request.reply && this.#needsReplyContext() ? withOutboundReply(request.reply, start) : start()
    this.#countReply(message.trace)
    return pending
  }

  /** Sends a message through an endpoint. A message that answers one in its own conversation is a reply to it. */
  async send(
    adapter: string,
    endpoint: string,
    target: Channel,
    content: Content,
    options: SendOptions = {},
  ): Promise<Receipt> {
    const { answers, key, source = 'ai' } = options
    if (
      answers instanceof ReceivedMessage &&
      answers.adapter === adapter &&
      answers.endpoint === endpoint &&
      answers.channel === target
    )
      return this.startReply(answers, content, { source, key }).receipt
    return this.#sender.start(this.#endpoints.get(adapter, endpoint), target, content, requestOf(options)).receipt
  }

  /** Starts a message that can be edited; `undefined` where the endpoint cannot edit. */
  async draft(
    adapter: string,
    endpoint: string,
    target: Channel,
    options: SendOptions & { readonly key: string },
  ): Promise<Draft | undefined> {
    return this.#drafts.start(this.#endpoints.get(adapter, endpoint), target, {
      ...requestOf(options),
      key: options.key,
    })
  }

  #countReply(trace: TraceBuilder): void {
    trace.replies++
    this.replied.emit(trace)
  }

  /** The async context costs time, so that it is made only where a plugin can read it. */
  #needsReplyContext(): boolean {
    return this.#postProcessor.size > 0 || this.#ctx.hasListeners(beforeSendMessage)
  }
}

const privateChannelOf = ({ sender: { id, name } }: ReceivedMessage): Channel => ({
  type: 'private',
  id,
  ...(name === undefined ? {} : { name }),
})

/** Returns the request for a reply that only the sender of a message may see. */
function privately(request: SendRequest, { sender }: ReceivedMessage, { definition }: Endpoint): SendRequest {
  if (definition?.ephemeral) return { ...request, only: sender.id }
  // It is sent in another channel, where neither the message nor its token is known.
  const { replyTo: _, via: __, ...rest } = request
  return rest
}

/** Returns the request for a message that answers another one. */
function requestFor(message: ReceivedMessage, { source, key, finishes }: ReplyOptions): SendRequest {
  const { row, id, trace, record } = message
  const request: Mutable<SendRequest> = { replyTo: id, trace }
  if (key !== undefined) request.key = key
  if (record.via !== undefined) request.via = record.via
  if (row !== undefined) request.answers = row
  else request.unsaved = true
  if (source !== undefined) request.reply = { message, source }
  if (finishes) request.finishes = true
  return request
}

function requestOf({ key, answers, source = 'ai' }: SendOptions): SendRequest {
  if (answers instanceof ReceivedMessage) return requestFor(answers, { source, key })
  return key === undefined ? {} : { key }
}
