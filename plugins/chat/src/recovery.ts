import { messageOf, type BaseContext } from '@mynah/kernel'
import { RECOVERY_AGE_MS, type EndpointKey, type MessageStore, type OutboundRecord } from './api/store.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { Endpoints } from './endpoints/endpoints.js'
import type { Receiver } from './inbound/receiver.js'
import type { Sender } from './outbound/sender.js'
import type { ActiveStore } from './store/active-store.js'
import type { OutboundStates } from './store/message-states.js'

const EMPTY = 'the host stopped before this message had any content'
const nameOf = ({ adapter, endpoint }: EndpointKey): string => `${adapter}|${endpoint}`

/** Continues with what a stop or an offline endpoint left in the store: messages to handle, and messages to send. */
export class Recovery {
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #states: OutboundStates
  readonly #endpoints: Endpoints
  readonly #receiver: Receiver
  readonly #sender: Sender
  /** Endpoints whose inbound messages were recovered since the start. */
  readonly #recovered = new Set<string>()
  /** Cancels the timers of endpoints with waiting messages. */
  readonly #timers = new Map<string, () => void>()

  constructor(
    ctx: BaseContext<unknown>,
    store: ActiveStore,
    states: OutboundStates,
    endpoints: Endpoints,
    receiver: Receiver,
    sender: Sender,
  ) {
    this.#ctx = ctx
    this.#store = store
    this.#states = states
    this.#endpoints = endpoints
    this.#receiver = receiver
    this.#sender = sender
    endpoints.changed.add((endpoint) => {
      if (endpoint.status === 'online') this.#recover(endpoint)
    })
    states.requeued.add((record) => this.#startTimer(record))
    store.onAvailable(() => {
      for (const endpoint of endpoints.all()) if (endpoint.status === 'online') this.#recover(endpoint)
    })
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  /** Sends and handles what the store holds of an endpoint that is online. */
  #recover(endpoint: Endpoint): void {
    const store = this.#store.current
    if (!store) return
    const { key } = endpoint
    const name = nameOf(key)
    this.#timers.get(name)?.()
    this.#timers.delete(name)
    const intents = this.#states.recover(store, key)
    if (intents instanceof Promise)
      // New messages wait, so that those of the store are sent first.
      endpoint.outbox.holdUntil(
        intents.then(
          (records) => this.#send(endpoint, records),
          (error: unknown) => this.#logFailure(key, error),
        ),
      )
    else this.#send(endpoint, intents)
    if (this.#recovered.has(name)) return
    this.#recovered.add(name)
    void this.#recoverInbound(store, key)
  }

  async #recoverInbound(store: MessageStore, key: EndpointKey): Promise<void> {
    try {
      await store.recoverInbound(key)
      this.#receiver.resume(key)
    } catch (error) {
      this.#recovered.delete(nameOf(key))
      this.#logFailure(key, error)
    }
  }

  #send(endpoint: Endpoint, records: readonly OutboundRecord[]): void {
    for (const record of records) {
      if (record.segments.length === 0) {
        void this.#endEmpty(record)
        continue
      }
      this.#sender.resume(endpoint, record).catch((error: unknown) =>
        this.#ctx.log.warn(`failed to send a waiting message: ${messageOf(error)}`, {
          adapter: endpoint.adapter,
          endpoint: endpoint.id,
        }),
      )
    }
  }

  /** Ends a draft that a stop left before it had any content. Only its owner knows what it was to say. */
  async #endEmpty(record: OutboundRecord): Promise<void> {
    const { adapter, endpoint } = record
    this.#ctx.log.warn('failed to send a waiting message: it has no content', { adapter, endpoint })
    await this.#states.finish(record, { state: 'failed', error: EMPTY }, true)
  }

  #logFailure(key: EndpointKey, error: unknown): void {
    this.#ctx.log.warn(`failed to load pending messages: ${messageOf(error)}`, { ...key })
  }

  /** A waiting message fails when it is too old, even if its endpoint never comes online again. */
  #startTimer({ adapter, endpoint }: OutboundRecord): void {
    const key = { adapter, endpoint }
    const name = nameOf(key)
    if (this.#timers.has(name)) return
    const cancel = this.#ctx.clock.setTimeout(() => {
      this.#timers.delete(name)
      const found = this.#endpoints.find(adapter, endpoint)
      if (found?.status === 'online') this.#recover(found)
      else void this.#expire(key)
    }, RECOVERY_AGE_MS)
    this.#timers.set(name, cancel)
  }

  /** Lets the messages that are too old fail. The others go back to waiting. */
  async #expire(key: EndpointKey): Promise<void> {
    try {
      const store = this.#store.current
      if (!store) return
      for (const record of await this.#states.recover(store, key)) await this.#states.requeue(record)
    } catch (error) {
      this.#logFailure(key, error)
    }
  }
}
