import type { IncomingHttpHeaders } from 'node:http'
import { isRecord, isWireError, WireError } from '@mynah/contract'
import { endpointPlace, messageOf, type Cluster, type Logger, type Ref } from '@mynah/kernel'
import type { EndpointHandle } from './endpoint-handle.js'
import type { Chat } from './points.js'

/** Time after which a platform should repeat a request that was not accepted, in seconds. */
const RETRY_S = 5
/** Bytes that an adapter passes on to other hosts at a time. Their sender is not checked yet. */
const MAX_PASSED_BYTES = 4 * 1024 * 1024

/** A request of a platform for an endpoint. */
export interface Delivery {
  /** The headers of {@link DeliveryOptions.headers}. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes. */
  readonly body: Buffer
}

/** How an adapter accepts deliveries. */
export interface DeliveryOptions<B, R> {
  /** Name of the adapter. */
  readonly adapter: string
  /** Names of the headers that it reads, in lower case. */
  readonly headers: readonly string[]
  /**
   * Checks a delivery and accepts it, on the host that runs the endpoint. The result is of JSON. An accepted delivery
   * may come again.
   *
   * @param bot absent where there is no such endpoint, which should take the same time as a wrong secret
   * @throws WireError `unauthorized` for a request of another sender; `not_ready` where the platform has to repeat it
   */
  accept(bot: B | undefined, delivery: Delivery, log: Logger): Promise<R>
}

interface Passed {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  /** As base64. */
  readonly body: string
}

/** The parts of a plugin that deliveries need: `needs: { chat: ref(Chat), cluster: ref(Cluster) }`. */
export interface DeliveryContext {
  readonly chat: Ref<Chat>
  readonly cluster: Ref<Cluster>
  readonly log: Logger
  onDispose(name: string, dispose: () => void): void
}

/**
 * Accepts the requests of a platform for the endpoints of an adapter. Where several hosts share a database, a balancer
 * may lead a request to any of them: it is passed on to the host that runs the endpoint. While none does, it is refused
 * with 503 and `Retry-After`.
 */
export class Deliveries<B, R = void> {
  readonly #ctx: DeliveryContext
  readonly #options: DeliveryOptions<B, R>
  readonly #bots = new Map<string, B>()
  /** Bytes on their way to other hosts. */
  #passing = 0

  constructor(ctx: DeliveryContext, options: DeliveryOptions<B, R>) {
    this.#ctx = ctx
    this.#options = options
    let stop = (): void => {}
    const follow = (cluster: Cluster | undefined): void => {
      stop()
      stop = cluster?.answer(this.#method, (params) => this.#acceptPassed(params)) ?? (() => {})
    }
    follow(ctx.cluster.current)
    ctx.cluster.onChange(follow)
    ctx.onDispose('deliveries of other hosts', () => stop())
  }

  /** The bots of the endpoints that run on this host, by the id of their endpoint. */
  get bots(): ReadonlyMap<string, B> {
    return this.#bots
  }

  /** Keeps the bot of an endpoint until that ends. */
  keep<T extends B>({ id, signal }: Pick<EndpointHandle, 'id' | 'signal'>, bot: T): T {
    this.#bots.set(id, bot)
    const forget = (): void => {
      if (this.#bots.get(id) === bot) this.#bots.delete(id)
    }
    signal.addEventListener('abort', forget, { once: true })
    return bot
  }

  /**
   * Accepts a request for an endpoint, on the host that runs it.
   *
   * @throws WireError of {@link DeliveryOptions.accept}; `not_ready` where it has to be repeated
   */
  async accept(id: string, headers: IncomingHttpHeaders, body: Buffer, log: Logger): Promise<R> {
    try {
      const kept = this.#options.headers.flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value] as const] : []
      })
      const delivery: Delivery = { headers: Object.fromEntries(kept), body }
      return this.isElsewhere(id) ? await this.#pass(id, delivery, log) : await this.#acceptHere(id, delivery, log)
    } catch (error) {
      if (!isWireError(error) || error.code !== 'not_ready' || error.retryAfter !== undefined) throw error
      throw new WireError('not_ready', error.message, { cause: error, retryAfter: RETRY_S })
    }
  }

  /** Whether an endpoint runs on another host, or on none at the moment. */
  isElsewhere(id: string): boolean {
    const cluster = this.#ctx.cluster.current
    const place = endpointPlace(this.#options.adapter, id)
    if (!cluster) return false
    if (cluster.isElsewhere(place)) return true
    if (this.#bots.has(id) || cluster.owns(place)) return false
    // A host that has just started knows its configuration before it knows the places.
    return cluster.places().has(place) || this.#isConfigured(id)
  }

  /**
   * Returns the bot of an endpoint that a platform connects to, as for a WebSocket.
   *
   * @throws WireError `not_ready` where the platform has to connect again: the endpoint will be here, or is on another
   * host
   */
  connected(id: string): B | undefined {
    const bot = this.#bots.get(id)
    if (this.isElsewhere(id) || (!bot && this.#comes(id)))
      throw new WireError('not_ready', 'This endpoint is not here now', { retryAfter: RETRY_S })
    return bot
  }

  get #method(): string {
    return `adapter-${this.#options.adapter}:deliver`
  }

  /** Whether an endpoint may be created soon. */
  #comes(id: string): boolean {
    const { chat } = this.#ctx
    return (chat.declared && !chat.current) || chat.current?.isExpected(this.#options.adapter, id) === true
  }

  #isConfigured(id: string): boolean {
    const endpoints = this.#ctx.chat.current?.endpoints() ?? []
    return endpoints.some(({ adapter, name }) => adapter === this.#options.adapter && name === id)
  }

  async #pass(id: string, { headers, body }: Delivery, log: Logger): Promise<R> {
    const cluster = this.#ctx.cluster.current as Cluster
    if (this.#passing + body.length > MAX_PASSED_BYTES)
      throw new WireError('not_ready', 'Too much is passed on to other hosts now')
    this.#passing += body.length
    const passed: Passed = { id, headers, body: body.toString('base64') }
    try {
      return (await cluster.call(endpointPlace(this.#options.adapter, id), this.#method, passed)) as R
    } catch (error) {
      if (!isWireError(error) || !error.code.startsWith('upstream_unavailable')) throw error
      // The id of a message makes sure that a second delivery changes nothing.
      log.warn(`the host of an endpoint did not answer, the platform has to send again: ${messageOf(error)}`)
      throw new WireError('not_ready', 'It cannot be accepted now', { cause: error })
    } finally {
      this.#passing -= body.length
    }
  }

  async #acceptPassed(params: unknown): Promise<R> {
    if (
      !isRecord(params) ||
      typeof params.id !== 'string' ||
      typeof params.body !== 'string' ||
      !isRecord(params.headers)
    )
      throw new WireError('not_ready', 'The other host has another version')
    const { id, headers, body } = params as unknown as Passed
    return this.#acceptHere(id, { headers, body: Buffer.from(body, 'base64') }, this.#ctx.log)
  }

  async #acceptHere(id: string, delivery: Delivery, log: Logger): Promise<R> {
    const bot = this.#bots.get(id)
    // The host is starting, or the endpoint is being replaced.
    if (!bot && this.#comes(id)) throw new WireError('not_ready', 'This endpoint is not there yet')
    return this.#options.accept(bot, delivery, log)
  }
}
