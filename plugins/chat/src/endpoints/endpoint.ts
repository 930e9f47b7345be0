import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { backoff, withTimeout } from '@mynah/kernel/util'
import { CAPABILITIES, SHOWN, type Adapter, type Bot, type Capability, type ShownType } from '../api/adapter.js'
import type {
  Cursors,
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
} from '../api/inbound.js'
import type { Self } from '../api/self.js'
import type { EndpointConfig } from '../config.js'
import type { EndpointKey } from '../api/store.js'
import { Outbox } from '../outbound/outbox.js'
import type { Signal } from '../util/signal.js'

export type Status = 'online' | 'offline' | 'pending'

/**
 * Delays between attempts to connect. The factor is so small that, after any downtime, an endpoint is online again
 * within
 * 1.5 times that downtime plus a second.
 */
const RECONNECT = { firstMs: 500, factor: 1.4, maxMs: 60_000, jitter: 0.1 }
const CONNECT_TIMEOUT_MS = 60_000
/** A connection that lasted this long resets the delay, ms. */
const STABLE_MS = 10_000

/** Accepts everything that endpoints receive from their platforms. */
export interface EndpointInbound {
  receive(endpoint: Endpoint, message: InboundMessage, cursors?: Cursors): Promise<void>
  changed(endpoint: Endpoint, change: InboundChange, cursors?: Cursors): Promise<void>
  reaction(endpoint: Endpoint, reaction: InboundReaction, cursors?: Cursors): Promise<void>
  cursorOf(endpoint: Endpoint, name: string): Promise<string | undefined>
  moveCursors(endpoint: Endpoint, cursors: Cursors): Promise<void>
  request(endpoint: Endpoint, request: InboundRequest): Promise<void>
  notice(endpoint: Endpoint, notice: InboundNotice): Promise<void>
}

/** One account of a bot. Connects, and connects again with a growing delay when the connection is lost. */
export class Endpoint {
  readonly key: EndpointKey
  readonly adapter: string
  readonly id: string
  readonly config: EndpointConfig
  readonly definition: Adapter | undefined
  readonly outbox: Outbox
  status: Status = 'offline'
  /** Since when it is online, or since when it is not: attempts to connect again change nothing. */
  since: number
  /** The reason why it is not online. */
  error: string | undefined
  lastError: string | undefined
  /** When the next attempt to connect starts, in milliseconds since the epoch. */
  nextTryAt: number | undefined
  self: Self = {}
  bot: Bot | undefined
  readonly #log: Logger
  readonly #clock: Clock
  readonly #controller = new AbortController()
  readonly #inbound: EndpointInbound
  readonly #changed: Signal<Endpoint>
  #attempt = 0
  #generation = 0
  #cancelTimer: (() => void) | undefined
  #closing: Promise<void> | undefined
  #onlineAt = 0

  constructor(
    config: EndpointConfig,
    definition: Adapter | undefined,
    clock: Clock,
    log: Logger,
    inbound: EndpointInbound,
    changed: Signal<Endpoint>,
  ) {
    this.key = { adapter: config.adapter, endpoint: config.id }
    this.adapter = config.adapter
    this.id = config.id
    this.config = config
    this.definition = definition
    this.#clock = clock
    this.#log = log
    this.#inbound = inbound
    this.#changed = changed
    this.since = clock.now()
    const pacing = typeof definition?.pacing === 'function' ? definition.pacing(config) : definition?.pacing
    this.outbox = new Outbox(clock, pacing)
  }

  get capabilities(): Capability[] {
    const { bot, definition } = this
    if (!bot) return []
    return [
      ...CAPABILITIES.filter((name) => typeof bot[name] === 'function'),
      ...(definition?.buttons ? ['buttons' as const] : []),
      ...(definition?.ephemeral ? ['ephemeral' as const] : []),
    ]
  }

  /** Returns whether the platform shows segments of a type. */
  shows(type: ShownType): boolean {
    return (this.definition?.shows ?? SHOWN).includes(type)
  }

  /** Returns how the platform formats text in Markdown; plain where `undefined`. */
  get format(): Adapter['format'] {
    return this.definition?.format
  }

  /** Whether it was stopped for good. */
  get stopped(): boolean {
    return this.#controller.signal.aborted
  }

  /** Creates the bot and starts to connect. */
  start(): void {
    if (!this.definition) return this.#fail(`no adapter named "${this.adapter}" is enabled`, 'debug')
    try {
      this.bot = this.definition.create({
        id: this.id,
        adapter: this.adapter,
        config: this.config,
        log: this.#log,
        clock: this.#clock,
        signal: this.#controller.signal,
        receive: (message, options) => this.#inbound.receive(this, message, options?.cursor),
        changed: (change, options) => this.#inbound.changed(this, change, options?.cursor),
        reaction: (reaction, options) => this.#inbound.reaction(this, reaction, options?.cursor),
        cursor: {
          get: (name) => this.#inbound.cursorOf(this, name),
          set: (cursors) => this.#inbound.moveCursors(this, cursors),
        },
        request: (request) => this.#inbound.request(this, request),
        notice: (notice) => this.#inbound.notice(this, notice),
        during: (work) => this.#watch(work),
        lost: (reason) => this.#lost(reason),
        self: (self) => {
          this.self = { ...this.self, ...self }
          this.#changed.emit(this)
        },
      })
    } catch (error) {
      return this.#fail(messageOf(error))
    }
    void this.#connect()
  }

  /** Stays offline because another host runs it. */
  standBy(reason: string): void {
    this.#fail(reason, 'debug')
  }

  /** Stays offline for a reason that no attempt can change. */
  refuse(reason: string): void {
    this.#fail(reason)
  }

  async #connect(): Promise<void> {
    const generation = ++this.#generation
    this.#set('pending')
    const bot = this.bot as Bot
    try {
      const self = await withTimeout(this.#clock, CONNECT_TIMEOUT_MS, () => bot.connect(), {
        message: `not connected within ${CONNECT_TIMEOUT_MS / 1000} s`,
      })
      if (generation !== this.#generation) return
      if (self) this.self = { ...this.self, ...self }
      this.error = undefined
      this.#onlineAt = this.#clock.now()
      this.#set('online')
    } catch (error) {
      if (generation === this.#generation) await this.#lost(error)
    }
  }

  async #lost(reason: unknown): Promise<void> {
    if (this.#controller.signal.aborted || this.#cancelTimer) return
    this.#generation++
    const text = messageOf(reason)
    this.lastError = text
    if (this.#onlineAt > 0 && this.#clock.now() - this.#onlineAt >= STABLE_MS) this.#attempt = 0
    this.#onlineAt = 0
    const pause = backoff(this.#attempt++, RECONNECT)
    // Set before anything is awaited, so that a second report of the same loss changes nothing.
    this.nextTryAt = this.#clock.now() + pause
    this.#cancelTimer = this.#clock.setTimeout(() => {
      this.#cancelTimer = undefined
      this.nextTryAt = undefined
      void this.#connect()
    }, pause)
    this.#log.warn(
      `${this.adapter}/${this.id}: connection lost, next attempt in ${(pause / 1000).toFixed(1)} s: ${text}`,
    )
    this.error = text
    this.#set('offline')
    await this.#disconnect()
  }

  /** Treats the end of `work` as a lost connection. */
  #watch(work: Promise<unknown>): void {
    const generation = this.#generation
    const ended = (reason: unknown): void => {
      if (generation === this.#generation) void this.#lost(reason)
    }
    work.then(() => ended(new Error('the adapter stopped listening')), ended)
  }

  async #disconnect(): Promise<void> {
    try {
      await this.bot?.disconnect()
    } catch (error) {
      this.#log.debug(`${this.adapter}/${this.id}: failed to disconnect: ${messageOf(error)}`)
    }
  }

  #fail(reason: string, level: 'debug' | 'error' = 'error'): void {
    this.error = reason
    this.lastError = reason
    this.#log[level](`${this.adapter}/${this.id}: ${reason}`)
    this.#set('offline')
  }

  #set(status: Status): void {
    if (status === this.status) return
    if (status === 'online' || this.status === 'online') this.since = this.#clock.now()
    this.status = status
    this.#changed.emit(this)
  }

  /** Disconnects for good. */
  stop(): Promise<void> {
    return (this.#closing ??= (async () => {
      this.#generation++
      this.#cancelTimer?.()
      this.#controller.abort()
      await this.outbox.drain()
      await this.#disconnect()
      this.#set('offline')
    })())
  }
}
