import type { Segment } from '@mynah/contract/types'
import type { OutboundPolish, OutboundReply } from '../api/points.js'

/** The handlers that change replies before they are sent, in the order in which they were added. */
export class PostProcessor {
  readonly #handlers = new Set<OutboundPolish>()

  get size(): number {
    return this.#handlers.size
  }

  /** Adds a handler. The returned function removes it. */
  add(handler: OutboundPolish): () => void {
    this.#handlers.add(handler)
    return () => void this.#handlers.delete(handler)
  }

  /** Passes the segments of a reply through all handlers. */
  async process(segments: readonly Segment[], reply: OutboundReply): Promise<readonly Segment[]> {
    let processed = segments
    for (const handler of this.#handlers) processed = await handler(processed, reply)
    return processed
  }
}
