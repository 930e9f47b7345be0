import { messageOf, type BaseContext } from '@mynah/kernel'
import { RECOVERY_AGE_MS, type EndpointKey, type OutboundRecord } from './api/store.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { Endpoints } from './endpoints/endpoints.js'
import type { Interruptions } from './inbound/interruptions.js'
import type { Receiver } from './inbound/receiver.js'
import type { Sender } from './outbound/sender.js'
import { settlesForMs } from './outbound/transmitter.js'
import type { ActiveStore } from './store/active-store.js'
import type { OutboundStates } from './store/outbound-states.js'
import { isUnavailable, type PendingWrites } from './store/pending-writes.js'
import type { Telemetry } from './telemetry.js'

const nameOf = ({ adapter, endpoint }: EndpointKey): string => `${adapter}|${endpoint}`

/** Time until an endpoint that is online is looked at again, ms. */
const LOOK_AGAIN_MS = 5_000

interface Timer {
  readonly due: number
  readonly cancel: () => void
}

/**
 * Continues with what a stop, an offline endpoint or an unavailable store left: messages to handle, and messages to
 * send. A message that can be neither is ended and reported.
 */
export class Recovery {
  readonly #ctx: BaseContext<unknown>
  readonly #telemetry: Telemetry
  readonly #store: ActiveStore
  readonly #pending: PendingWrites
  readonly #states: OutboundStates
  readonly #endpoints: Endpoints
  readonly #interruptions: Interruptions
  readonly #receiver: Receiver
  readonly #sender: Sender
  /** Whether this host has to end what was begun for an endpoint. */
  readonly #answersFor: (key: EndpointKey) => boolean
  /** Endpoints whose inbound messages were recovered since the start. */
  readonly #recovered = new Set<string>()
  /** Recoveries in progress, by endpoint. */
  readonly #running = new Map<string, Promise<void>>()
  /** Those of inbound messages, for which messages to send do not wait. */
  readonly #inbound = new Map<string, Promise<void>>()
  /** The next look at the waiting messages of each endpoint. */
  readonly #timers = new Map<string, Timer>()

  constructor(
    ctx: BaseContext<unknown>,
    telemetry: Telemetry,
    store: ActiveStore,
    pending: PendingWrites,
    states: OutboundStates,
    endpoints: Endpoints,
    interruptions: Interruptions,
    receiver: Receiver,
    sender: Sender,
    answersFor: (key: EndpointKey) => boolean,
  ) {
    this.#ctx = ctx
    this.#telemetry = telemetry
    this.#store = store
    this.#pending = pending
    this.#states = states
    this.#endpoints = endpoints
    this.#interruptions = interruptions
    this.#receiver = receiver
    this.#sender = sender
    this.#answersFor = answersFor
    endpoints.changed.add((endpoint) => {
      if (endpoint.status === 'online') this.#recover(endpoint)
    })
    states.requeued.add((record) => this.#startTimer(record, record.notBefore ?? this.#nextLookAt(record)))
    const recoverAll = (): void => {
      for (const endpoint of endpoints.all()) if (endpoint.status === 'online') this.#recover(endpoint)
    }
    store.onAvailable(recoverAll)
    pending.written.add(recoverAll)
  }

  /** Forgets an endpoint that another host goes on with: it is recovered when it comes back. */
  forget(key: EndpointKey): void {
    const name = nameOf(key)
    this.#recovered.delete(name)
    this.#timers.get(name)?.cancel()
    this.#timers.delete(name)
  }

  close(): void {
    for (const { cancel } of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  /** An endpoint that has come online while a message went back to waiting has passed it over. */
  #nextLookAt({ adapter, endpoint }: EndpointKey): number {
    const isOnline = this.#endpoints.find(adapter, endpoint)?.status === 'online'
    return this.#ctx.clock.now() + (isOnline ? LOOK_AGAIN_MS : RECOVERY_AGE_MS)
  }

  /** Sends and handles what the store holds of an endpoint that is online. */
  #recover(endpoint: Endpoint): void {
    const name = nameOf(endpoint.key)
    const before = this.#running.get(name)
    const work = before ? before.then(() => this.#run(endpoint)) : this.#run(endpoint)
    this.#running.set(name, work)
    void work.then(() => {
      if (this.#running.get(name) === work) this.#running.delete(name)
    })
    // New messages wait, so that those of the store are sent first.
    endpoint.outbox.holdUntil(work)
  }

  /** Recovers an endpoint once, and again later where the store is unavailable. Never rejects. */
  async #run(endpoint: Endpoint): Promise<void> {
    try {
      await this.#recoverOnce(endpoint)
    } catch (error) {
      this.#ctx.log.warn(`failed to load pending messages: ${messageOf(error)}`, { ...endpoint.key })
      // Messages that need no store do not wait for it.
      if (isUnavailable(error)) void this.#retry(endpoint)
    }
  }

  async #retry(endpoint: Endpoint): Promise<void> {
    try {
      await this.#pending.persist(() => this.#recoverOnce(endpoint), Infinity)
    } catch (error) {
      this.#ctx.log.debug(`gave up loading pending messages: ${messageOf(error)}`, { ...endpoint.key })
    }
  }

  async #recoverOnce(endpoint: Endpoint): Promise<void> {
    const { key } = endpoint
    if (endpoint.status !== 'online' || !this.#store.current) return
    // Before the rows are read: a message that goes back to waiting meanwhile sets a timer of its own.
    this.#timers.get(nameOf(key))?.cancel()
    this.#timers.delete(nameOf(key))
    const { intents, ended, nextAt } = await this.#states.recover(key, settlesForMs(endpoint))
    for (const state of ['unknown', 'failed'] as const) {
      const count = ended.filter((one) => one.state === state).length
      if (count > 0) this.#ctx.log.warn(`${count} messages that were left to be sent are ${state} now`, { ...key })
    }
    if (nextAt !== undefined) this.#startTimer(key, nextAt)
    for (const record of intents) this.#send(endpoint, record)
    if (this.#recovered.has(nameOf(key))) return
    this.#recovered.add(nameOf(key))
    // Messages to send do not wait for it, since the plugins that it waits for send messages themselves.
    const inbound = this.#recoverInbound(endpoint)
    this.#inbound.set(nameOf(key), inbound)
    void inbound.then(() => {
      if (this.#inbound.get(nameOf(key)) === inbound) this.#inbound.delete(nameOf(key))
    })
  }

  /** Resolves when no recovery of an endpoint is in progress. */
  async idle(key: EndpointKey): Promise<void> {
    const name = nameOf(key)
    while (this.#running.has(name) || this.#inbound.has(name))
      await Promise.all([this.#running.get(name), this.#inbound.get(name)])
  }

  /** Ends or repeats, once after a start, what was being handled, and handles what was not. */
  async #recoverInbound(endpoint: Endpoint): Promise<void> {
    const { key } = endpoint
    await this.#interruptions.ready()
    if (endpoint.stopped) return this.#leaveInbound(key)
    try {
      let tries = 0
      const recover = () => {
        const store = this.#store.require()
        tries++
        return store.recoverInbound(key, this.#interruptions.policy())
      }
      const interrupted = await this.#pending.persist(recover, Infinity)
      this.#receiver.resume(key)
      if (interrupted.length > 0) {
        this.#telemetry.counters.interrupted += interrupted.length
        this.#ctx.log.warn(`${interrupted.length} messages were interrupted by the last stop`, { ...key })
      }
      // Sends the notices to their senders. A try without an answer may have stored some that this one does not name.
      if ((interrupted.length > 0 || tries > 1) && endpoint.status === 'online') this.#recover(endpoint)
    } catch (error) {
      this.#recovered.delete(nameOf(key))
      this.#ctx.log.warn(`failed to load pending messages: ${messageOf(error)}`, { ...key })
    }
  }

  /** Leaves the messages of an endpoint to the one in its place, here or on another host. */
  #leaveInbound(key: EndpointKey): void {
    this.#recovered.delete(nameOf(key))
    const current = this.#endpoints.find(key.adapter, key.endpoint)
    if (current?.status === 'online') this.#recover(current)
  }

  #send(endpoint: Endpoint, record: OutboundRecord): void {
    this.#sender.resume(endpoint, record).catch((error: unknown) =>
      this.#ctx.log.warn(`failed to send a waiting message: ${messageOf(error)}`, {
        adapter: endpoint.adapter,
        endpoint: endpoint.id,
      }),
    )
  }

  /** A waiting message is looked at when it is due, or too old even if its endpoint never comes online again. */
  #startTimer({ adapter, endpoint }: EndpointKey, due: number): void {
    const key = { adapter, endpoint }
    const name = nameOf(key)
    const running = this.#timers.get(name)
    if (running && running.due <= due) return
    running?.cancel()
    const fire = (): void => {
      this.#timers.delete(name)
      const found = this.#endpoints.find(adapter, endpoint)
      if (found?.status === 'online') this.#recover(found)
      else void this.#expire(key)
    }
    const cancel = this.#ctx.clock.setTimeout(fire, Math.max(1, due - this.#ctx.clock.now()))
    this.#timers.set(name, { due, cancel })
  }

  /** Lets the messages that are too old fail. The others go back to waiting. */
  async #expire(key: EndpointKey): Promise<void> {
    // Another host may be sending what is in the store.
    if (!this.#answersFor(key)) return
    try {
      const endpoint = this.#endpoints.find(key.adapter, key.endpoint)
      const forMs = endpoint ? settlesForMs(endpoint) : 0
      const { intents, nextAt } = await this.#pending.persist(() => this.#states.recover(key, forMs), Infinity)
      for (const record of intents) {
        await this.#states.requeue(record)
        this.#startTimer(key, this.#ctx.clock.now() + RECOVERY_AGE_MS)
      }
      if (nextAt !== undefined) this.#startTimer(key, nextAt)
    } catch (error) {
      this.#ctx.log.warn(`failed to load pending messages: ${messageOf(error)}`, { ...key })
    }
  }
}
