// What a stop or an absence left in the store is taken up: messages to be handled, and answers to be sent.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { RECOVERY_AGE_MS, type EndpointKey, type MessageStore, type OutboundRecord } from './api/store.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { Endpoints } from './endpoints/endpoints.js'
import type { Receiver } from './inbound/receiver.js'
import type { Sender } from './outbound/sender.js'

interface Deps {
  readonly store: () => MessageStore | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly receiving: Receiver
  readonly sending: Sender
  readonly endpoints: Endpoints
}

const nameOf = ({ adapter, endpoint }: EndpointKey): string => `${adapter}|${endpoint}`

export class Recovery {
  readonly #deps: Deps
  /** Endpoints for which what the last stop left was looked at. */
  readonly #recovered = new Set<string>()
  /** Ends of the wait for endpoints that are away. */
  readonly #waiting = new Map<string, () => void>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The store is there, or there again. */
  all(): void {
    for (const endpoint of this.#deps.endpoints.all()) if (endpoint.status === 'online') this.online(endpoint)
  }

  /** An endpoint can receive and send: what stands in the store goes first. */
  online(endpoint: Endpoint): void {
    const store = this.#deps.store()
    if (!store) return
    const key = { adapter: endpoint.adapter, endpoint: endpoint.id }
    this.#waiting.get(nameOf(key))?.()
    this.#waiting.delete(nameOf(key))
    const left = store.recoverOutbound(key)
    if (left instanceof Promise)
      endpoint.outbox.holdUntil(
        left.then(
          (records) => this.#send(endpoint, records),
          (error: unknown) => this.#failed(key, error),
        ),
      )
    else this.#send(endpoint, left)
    if (this.#recovered.has(nameOf(key))) return
    this.#recovered.add(nameOf(key))
    void this.#receive(store, key)
  }

  async #receive(store: MessageStore, key: EndpointKey): Promise<void> {
    try {
      await store.recoverInbound(key)
      this.#deps.receiving.resume(key)
    } catch (error) {
      this.#recovered.delete(nameOf(key))
      this.#failed(key, error)
    }
  }

  #send(endpoint: Endpoint, records: readonly OutboundRecord[]): void {
    for (const record of records) {
      this.#deps.sending.resume(endpoint, record).catch((error: unknown) =>
        this.#deps.log.warn(`a message that had waited could not be sent: ${messageOf(error)}`, {
          adapter: endpoint.adapter,
          endpoint: endpoint.id,
        }),
      )
    }
  }

  #failed(key: EndpointKey, error: unknown): void {
    this.#deps.log.warn(`what waits in the store could not be read: ${messageOf(error)}`, { ...key })
  }

  /** A message waits for its endpoint: once it is too old it fails, also where nobody comes back. */
  waits(record: OutboundRecord): void {
    const { adapter, endpoint } = record
    const key = { adapter, endpoint }
    if (this.#waiting.has(nameOf(key))) return
    const cancel = this.#deps.clock.setTimeout(() => {
      this.#waiting.delete(nameOf(key))
      const found = this.#deps.endpoints.find(adapter, endpoint)
      if (found?.status === 'online') this.online(found)
      else void this.#expire(key)
    }, RECOVERY_AGE_MS)
    this.#waiting.set(nameOf(key), cancel)
  }

  /** Those that are old enough fail; the others are intents again, and wait on. */
  async #expire(key: EndpointKey): Promise<void> {
    try {
      const store = this.#deps.store()
      for (const record of (await store?.recoverOutbound(key)) ?? []) {
        await store?.requeue(record.id)
        this.waits(record)
      }
    } catch (error) {
      this.#failed(key, error)
    }
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
  }
}
