import type { BaseContext } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type {
  Cursors,
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
} from '../api/inbound.js'
import { noticeReceive, requestReceive } from '../api/points.js'
import type { EndpointKey } from '../api/store.js'
import type { Endpoint, EndpointInbound } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import { noticeEvent, requestEvent } from '../stream-events.js'
import { assertCursors } from './cursors.js'
import type { MessageChanges } from './message-changes.js'
import type { Receiver } from './receiver.js'

/** The entrance for messages, requests and notices of all endpoints. */
export class Inbound implements EndpointInbound {
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #receiver: Receiver
  readonly #changes: MessageChanges

  constructor(ctx: BaseContext<unknown>, store: ActiveStore, receiver: Receiver, changes: MessageChanges) {
    this.#ctx = ctx
    this.#store = store
    this.#receiver = receiver
    this.#changes = changes
  }

  receive(endpoint: Endpoint, message: InboundMessage, cursors?: Cursors): Promise<void> {
    // The own echo, which some platforms deliver as any message.
    if (message.sender.bot && message.sender.id === endpoint.self.id)
      return cursors ? this.moveCursors(endpoint, cursors) : Promise.resolve()
    return this.#receiver.receive(endpoint, message, cursors)
  }

  async changed(endpoint: Endpoint, change: InboundChange, cursors?: Cursors): Promise<void> {
    const notice = await this.#changes.apply(endpoint, change)
    if (notice) await this.notice(endpoint, notice)
    // Last: what a stop interrupts is delivered again.
    if (cursors) await this.moveCursors(endpoint, cursors)
  }

  async reaction(endpoint: Endpoint, reaction: InboundReaction, cursors?: Cursors): Promise<void> {
    await this.#changes.react(endpoint, reaction)
    if (cursors) await this.moveCursors(endpoint, cursors)
  }

  async cursorOf({ key }: Endpoint, name: string): Promise<string | undefined> {
    return this.#store.require().cursor(key, name)
  }

  async moveCursors({ key }: Endpoint, cursors: Cursors): Promise<void> {
    assertCursors(cursors)
    await this.#store.require().setCursors(key, cursors)
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

  notice({ key }: Endpoint, notice: InboundNotice): Promise<void> {
    return storeNotice(this.#ctx, this.#store, key, notice)
  }
}

/** Stores a notice once, and reports it to the console and to plugins. */
export async function storeNotice(
  ctx: BaseContext<unknown>,
  store: ActiveStore,
  key: EndpointKey,
  notice: InboundNotice,
): Promise<void> {
  const { id, kind, channel, operator, target, payload, timestamp = ctx.clock.now() } = notice
  const { fresh } = await store
    .require()
    .addNotice(
      key,
      { ...omitUndefined({ noticeId: id, kind, channel, operator, target }), payload, timestamp },
      (row) => noticeEvent(key, row),
    )
  if (fresh) ctx.emit(noticeReceive, { ...key, ...notice })
}
