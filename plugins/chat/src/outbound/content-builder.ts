import type { BaseContext, Contribution, Reader } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import {
  beforeSendMessage,
  components,
  type MessageComponent,
  type Outgoing,
  type OutboundReply,
} from '../api/points.js'
import { toSegments } from '../api/segments.js'
import { isSerializable } from '../api/serializable.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { andThen } from '../util/and-then.js'
import { renderSendMessage } from './media.js'
import type { PostProcessor } from './post-processor.js'

const MAX_COMPONENT_DEPTH = 8

/** Builds what a message says: content to segments, components, post-processing, `before.sendMessage`. */
export class ContentBuilder {
  readonly #ctx: BaseContext<unknown>
  readonly #components: Reader<MessageComponent>
  readonly #postProcessor: PostProcessor

  constructor(ctx: BaseContext<unknown>, postProcessor: PostProcessor) {
    this.#ctx = ctx
    this.#components = ctx.read(components)
    this.#postProcessor = postProcessor
  }

  /**
   * Returns the message to send, or `undefined` where a listener of `before.sendMessage` held it back.
   *
   * @param reply the message that this one replies to; only replies are post-processed
   * @throws WireError `invalid_request` for an empty message, or one that cannot be written as JSON
   */
  build(
    endpoint: Endpoint,
    target: Channel,
    content: Content,
    reply: OutboundReply | undefined,
  ): Awaitable<Outgoing | undefined> {
    return andThen(
      this.#build(endpoint, target, content, reply),
      (outgoing) => outgoing && assertSerializable(outgoing),
    )
  }

  #build(
    endpoint: Endpoint,
    target: Channel,
    content: Content,
    reply: OutboundReply | undefined,
  ): Awaitable<Outgoing | undefined> {
    const rendered = this.#expand(renderSendMessage(content))
    const processed = reply && this.#postProcessor.size ? this.#postProcessor.process(rendered, reply) : rendered
    return andThen(processed, (segments) => {
      const outgoing: Outgoing = { adapter: endpoint.adapter, endpoint: endpoint.id, target, segments }
      if (!this.#ctx.hasListeners(beforeSendMessage)) return assertNotEmpty(outgoing)
      return this.#ctx
        .waterfall(beforeSendMessage, outgoing, (passed) => passed)
        .then((passed) => (passed && passed.segments.length > 0 ? passed : undefined))
    })
  }

  #expand(segments: readonly Segment[], depth = 0): readonly Segment[] {
    if (!segments.some((part) => part.type === 'component')) return segments
    if (depth === MAX_COMPONENT_DEPTH)
      throw new Error(`Message components are nested more than ${MAX_COMPONENT_DEPTH} levels deep`)
    return toSegments(
      segments.flatMap((part) => {
        if (part.type !== 'component') return [part]
        const component: Contribution<MessageComponent> | undefined = this.#components.get(String(part.data.name))
        if (!component) throw new Error(`There is no message component named "${String(part.data.name)}"`)
        return this.#expand(
          toSegments(component.value.render((part.data.props ?? {}) as Record<string, unknown>)),
          depth + 1,
        )
      }),
    )
  }
}

function assertSerializable(outgoing: Outgoing): Outgoing {
  for (const [index, { type, data }] of outgoing.segments.entries()) {
    if (isSerializable(data)) continue
    throw new WireError('invalid_request', `A segment of type ${type} cannot be written as JSON`, {
      details: [{ path: `content[${index}].data`, message: 'must be JSON' }],
    })
  }
  return outgoing
}

function assertNotEmpty(outgoing: Outgoing): Outgoing {
  if (outgoing.segments.length === 0)
    throw new WireError('invalid_request', 'The message is empty', {
      details: [{ path: 'content', message: 'must not be empty' }],
    })
  return outgoing
}
