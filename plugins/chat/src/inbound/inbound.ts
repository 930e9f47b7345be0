import type { BaseContext } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { InboundMessage, InboundNotice, InboundRequest } from '../api/adapter.js'
import { noticeReceive, requestReceive } from '../api/points.js'
import type { Endpoint, EndpointInbound } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import { noticeEvent, requestEvent } from '../stream-events.js'
import type { Receiver } from './receiver.js'

/** The entrance for messages, requests and notices of all endpoints. */
export class Inbound implements EndpointInbound {
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #receiver: Receiver

  constructor(ctx: BaseContext<unknown>, store: ActiveStore, receiver: Receiver) {
    this.#ctx = ctx
    this.#store = store
    this.#receiver = receiver
  }

  receive(endpoint: Endpoint, message: InboundMessage): Promise<void> {
    return this.#receiver.receive(endpoint, message)
  }

  async request(endpoint: Endpoint, request: InboundRequest): Promise<void> {
    const key = endpoint.key
    const { id, kind, sender, channel, comment, timestamp = this.#ctx.clock.now() } = request
    const { fresh } = await this.#store
      .require()
      .addRequest(
        key,
        omitUndefined({ requestId: id, kind, sender: { ...sender }, channel, comment, timestamp }),
        (row) => requestEvent(key, row),
      )
    if (fresh) this.#ctx.emit(requestReceive, { ...key, ...request })
  }

  async notice(endpoint: Endpoint, notice: InboundNotice): Promise<void> {
    const key = endpoint.key
    const { id, kind, channel, operator, target, payload, timestamp = this.#ctx.clock.now() } = notice
    const { fresh } = await this.#store
      .require()
      .addNotice(
        key,
        { ...omitUndefined({ noticeId: id, kind, channel, operator, target }), payload, timestamp },
        (row) => noticeEvent(key, row),
      )
    if (fresh) this.#ctx.emit(noticeReceive, { ...key, ...notice })
  }
}
