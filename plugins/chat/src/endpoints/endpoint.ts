// One bot account: connecting, reconnecting with a growing pause, status, counters.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import {
  CAPABILITIES,
  SHOWN,
  type Adapter,
  type Bot,
  type Capability,
  type EndpointHandle,
  type Self,
  type ShownType,
} from '../api/adapter.js'
import type { EndpointConfig } from '../config.js'
import { Outbox } from '../outbound/outbox.js'

export type Status = 'online' | 'offline' | 'pending'

/** What an endpoint tells the runtime. */
export interface EndpointEvents {
  changed(endpoint: Endpoint): void
  receive: EndpointHandle['receive']
  request: EndpointHandle['request']
  notice: EndpointHandle['notice']
}

const RETRY_FIRST_MS = 500
// Slow enough that even the least lucky pauses keep the time away below 1.5 times the downtime and a second.
const RETRY_FACTOR = 1.4
const RETRY_MAX_MS = 60_000
const CONNECT_TIMEOUT_MS = 60_000
/** A connection that held this long starts the pauses from the beginning. */
const STABLE_MS = 10_000

export class Endpoint {
  readonly adapter: string
  readonly id: string
  readonly config: EndpointConfig
  readonly definition: Adapter | undefined
  readonly counters = { received: 0, sent: 0, errors: 0 }
  readonly outbox: Outbox
  status: Status = 'offline'
  since: number
  /** Why it is not online. */
  error: string | undefined
  lastError: string | undefined
  /** When the next attempt to connect begins. */
  nextTryAt: number | undefined
  self: Self = {}
  bot: Bot | undefined
  readonly #log: Logger
  readonly #clock: Clock
  readonly #controller = new AbortController()
  readonly #events: (endpoint: Endpoint) => EndpointEvents
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
    events: (endpoint: Endpoint) => EndpointEvents,
  ) {
    this.adapter = config.adapter
    this.id = config.id
    this.config = config
    this.definition = definition
    this.#clock = clock
    this.#log = log
    this.#events = events
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
    ]
  }

  /** Whether its platform shows segments of that type. */
  shows(type: ShownType): boolean {
    return (this.definition?.shows ?? SHOWN).includes(type)
  }

  /** Makes the account and begins to connect. */
  start(): void {
    if (!this.definition) return this.#fail(`no adapter named "${this.adapter}" is enabled`, 'debug')
    const events = this.#events(this)
    try {
      this.bot = this.definition.create({
        id: this.id,
        adapter: this.adapter,
        config: this.config,
        log: this.#log,
        clock: this.#clock,
        signal: this.#controller.signal,
        receive: (message) => events.receive(message),
        request: (request) => events.request(request),
        notice: (notice) => events.notice(notice),
        during: (work) => this.#watch(work),
        lost: (reason) => this.#lost(reason),
        self: (self) => {
          this.self = { ...this.self, ...self }
          events.changed(this)
        },
      })
    } catch (error) {
      return this.#fail(messageOf(error))
    }
    void this.#connect()
  }

  /** Fails for a reason that no attempt can change. */
  refuse(reason: string): void {
    this.#fail(reason)
  }

  async #connect(): Promise<void> {
    const generation = ++this.#generation
    this.#set('pending')
    const bot = this.bot as Bot
    let cancel = (): void => {}
    try {
      const limit = new Promise<never>((_, reject) => {
        cancel = this.#clock.setTimeout(
          () => reject(new Error(`not connected within ${CONNECT_TIMEOUT_MS / 1000} s`)),
          CONNECT_TIMEOUT_MS,
        )
      })
      const self = await Promise.race([bot.connect(), limit])
      if (generation !== this.#generation) return
      if (self) this.self = { ...this.self, ...self }
      this.error = undefined
      this.#onlineAt = this.#clock.now()
      this.#set('online')
    } catch (error) {
      if (generation === this.#generation) await this.#lost(error)
    } finally {
      cancel()
    }
  }

  async #lost(reason: unknown): Promise<void> {
    if (this.#controller.signal.aborted || this.#cancelTimer) return
    this.#generation++
    const text = messageOf(reason)
    this.counters.errors++
    this.lastError = text
    if (this.#onlineAt > 0 && this.#clock.now() - this.#onlineAt >= STABLE_MS) this.#attempt = 0
    this.#onlineAt = 0
    const pause = Math.min(RETRY_FIRST_MS * RETRY_FACTOR ** this.#attempt, RETRY_MAX_MS) * (0.9 + Math.random() * 0.2)
    this.#attempt++
    // Set before anything is awaited: a second report of the same loss changes nothing.
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

  /** Notices the end of what was to last as long as the connection. */
  #watch(work: Promise<unknown>): void {
    const generation = this.#generation
    const ended = (reason: unknown): void => {
      if (generation === this.#generation) void this.#lost(reason)
    }
    work.then(() => ended(new Error('the adapter has stopped listening')), ended)
  }

  async #disconnect(): Promise<void> {
    try {
      await this.bot?.disconnect()
    } catch (error) {
      this.#log.debug(`${this.adapter}/${this.id}: disconnecting failed: ${messageOf(error)}`)
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
    this.status = status
    this.since = this.#clock.now()
    this.#events(this).changed(this)
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
