// What a message says when it leaves: content to segments, components, polish, `before.sendMessage`.
import type { Contribution, Reader } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Channel, Content, Segment } from '@mynah/contract/types'
import type { MessageComponent, Outgoing } from '../api/points.js'
import { toSegments } from '../api/segments.js'
import { isSerializable } from '../api/serializable.js'
import { andThen, type Awaitable } from '../util/and-then.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { renderSendMessage } from './media.js'

const MAX_COMPONENT_DEPTH = 8

export type Polish = (segments: readonly Segment[]) => Promise<readonly Segment[]>

interface Deps {
  readonly components: Reader<MessageComponent>
  /** Passes a message through `before.sendMessage`; `undefined` holds it back. */
  readonly before: (outgoing: Outgoing) => Promise<Outgoing | undefined> | undefined
}

export class ContentBuilder {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The message as it will be sent, or `undefined` where a listener held it back. */
  prepare(endpoint: Endpoint, target: Channel, content: Content, polish?: Polish): Awaitable<Outgoing | undefined> {
    return andThen(
      this.#prepared(endpoint, target, content, polish),
      (outgoing) => outgoing && assertWritable(outgoing),
    )
  }

  #prepared(
    endpoint: Endpoint,
    target: Channel,
    content: Content,
    polish: Polish | undefined,
  ): Awaitable<Outgoing | undefined> {
    const rendered = this.#expand(renderSendMessage(content))
    const segments = polish ? polish(rendered) : rendered
    return andThen(segments, (polished) => {
      const outgoing: Outgoing = { adapter: endpoint.adapter, endpoint: endpoint.id, target, segments: polished }
      const passed = this.#deps.before(outgoing)
      if (!passed) return assertSaysSomething(outgoing)
      return passed.then((result) => (result && result.segments.length > 0 ? result : undefined))
    })
  }

  #expand(segments: readonly Segment[], depth = 0): readonly Segment[] {
    if (!segments.some((part) => part.type === 'component')) return segments
    if (depth === MAX_COMPONENT_DEPTH) throw new Error('Message components contain each other without end')
    return toSegments(
      segments.flatMap((part) => {
        if (part.type !== 'component') return [part]
        const component: Contribution<MessageComponent> | undefined = this.#deps.components.get(String(part.data.name))
        if (!component) throw new Error(`There is no message component named "${String(part.data.name)}"`)
        return this.#expand(
          toSegments(component.value.render((part.data.props ?? {}) as Record<string, unknown>)),
          depth + 1,
        )
      }),
    )
  }
}

/** What no store could write must not be sent either. */
function assertWritable(outgoing: Outgoing): Outgoing {
  for (const [index, { type, data }] of outgoing.segments.entries()) {
    if (isSerializable(data)) continue
    throw new WireError(
      'invalid_request',
      `A segment of type ${type} holds what cannot be written as JSON, such as itself`,
      { details: [{ path: `content[${index}].data`, message: 'must be JSON' }] },
    )
  }
  return outgoing
}

function assertSaysSomething(outgoing: Outgoing): Outgoing {
  if (outgoing.segments.length === 0)
    throw new WireError('invalid_request', 'The message is empty', {
      details: [{ path: 'content', message: 'must not be empty' }],
    })
  return outgoing
}
