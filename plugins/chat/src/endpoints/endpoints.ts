import { closestMatch, type BaseContext, type Reader } from '@mynah/kernel'
import { mistakesIn } from '@mynah/contract/validate'
import { WireError } from '@mynah/contract'
import type { Adapter } from '../api/adapter.js'
import { adapters } from '../api/points.js'
import type { EndpointConfig } from '../config.js'
import { Signal } from '../util/signal.js'
import { Endpoint, type EndpointInbound } from './endpoint.js'
import { adapterHint, itemSchema } from './item-schema.js'

/** Time that the plugin of an adapter has to start before a warning, ms. */
const ADAPTER_TIMEOUT_MS = 10_000

/** The endpoints that run on this host, where several hosts share a database. */
export interface EndpointPlaces {
  /** Follows the endpoints that this host could run. */
  configured(configs: readonly EndpointConfig[]): void
  /** Returns why an endpoint does not connect here, or `undefined` if it does. */
  elsewhere(adapter: string, id: string): string | undefined
}

const keyOf = (adapter: string, id: string): string => `${adapter}|${id}`

/** The endpoints of the configuration, each with the adapter that is registered under its name. */
export class Endpoints {
  /** The status of an endpoint or its account changed. */
  readonly changed = new Signal<Endpoint>()
  /** An endpoint was removed or is about to be replaced. */
  readonly removed = new Signal<Endpoint>()
  readonly #ctx: BaseContext<unknown>
  readonly #adapters: Reader<Adapter>
  readonly #endpoints = new Map<string, Endpoint>()
  #configs: readonly EndpointConfig[] = []
  /** Receives what comes in; set while the endpoints run. */
  #inbound: EndpointInbound | undefined
  #stopped = false
  /** Says which endpoints run on this host; set where several share a database. */
  #places: EndpointPlaces | undefined
  /** Cancels the timer for adapters that are missing. */
  #cancelAdapterTimer: (() => void) | undefined
  /** Endpoints whose missing adapter was reported. */
  readonly #reported = new WeakSet<Endpoint>()
  /** Stops in progress. A new endpoint of the same account waits for them, so that no account is connected twice. */
  readonly #stopping = new Map<string, Promise<void>>()
  /** The configuration of each endpoint without the defaults of its schema, to detect changes. */
  readonly #written = new WeakMap<Endpoint, string>()

  constructor(ctx: BaseContext<unknown>) {
    this.#ctx = ctx
    this.#adapters = ctx.read(adapters)
    this.#adapters.watch(() => this.configure(this.#configs))
  }

  all(): readonly Endpoint[] {
    return Array.from(this.#endpoints.values())
  }

  /** Returns the adapters of enabled plugins, by name. */
  platforms(): Adapter[] {
    return this.#adapters
      .all()
      .map(({ value }) => value)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  find(adapter: string, id: string): Endpoint | undefined {
    return this.#endpoints.get(keyOf(adapter, id))
  }

  /** Returns whether an endpoint may be created soon: before the start, or while the old one is being replaced. */
  isExpected(adapter: string, id: string): boolean {
    const key = keyOf(adapter, id)
    if (this.#stopping.has(key)) return this.#endpoints.has(key)
    return !this.#inbound && !this.#stopped
  }

  /**
   * Returns the endpoint.
   *
   * @throws WireError `not_found`, or `not_ready` where chat has stopped: the endpoint may be there again at its start
   */
  get(adapter: string, id: string): Endpoint {
    const endpoint = this.find(adapter, id)
    if (!endpoint && this.#stopped) throw new WireError('not_ready', 'Chat has stopped')
    if (!endpoint) throw new WireError('not_found', `No endpoint "${id}" of the adapter "${adapter}"`)
    return endpoint
  }

  /**
   * Starts to connect.
   *
   * @param inbound receives what the endpoints receive
   * @param places says which of them run here; default: all
   */
  start(configs: readonly EndpointConfig[], inbound: EndpointInbound, places?: EndpointPlaces): void {
    this.#inbound = inbound
    this.#places = places
    this.configure(configs)
  }

  /** Starts, stops and replaces endpoints so that they match `configs`. Unchanged endpoints stay connected. */
  configure(configs: readonly EndpointConfig[]): void {
    this.#configs = configs
    if (!this.#inbound) return
    const wanted = this.#wanted(configs)
    this.#places?.configured([...wanted.values()])
    for (const [key, endpoint] of this.#endpoints) {
      const config = wanted.get(key)
      const definition = this.#adapters.get(endpoint.adapter)?.value
      if (config && JSON.stringify(config) === this.#written.get(endpoint) && definition === endpoint.definition)
        continue
      this.#remove(key, endpoint)
    }
    for (const [key, config] of wanted) if (!this.#endpoints.has(key)) this.#add(key, config, this.#inbound)
    if (this.#missing().length > 0)
      this.#cancelAdapterTimer ??= this.#ctx.clock.setTimeout(() => this.#reportMissing(), ADAPTER_TIMEOUT_MS)
    else {
      this.#cancelAdapterTimer?.()
      this.#cancelAdapterTimer = undefined
    }
  }

  /** Returns the endpoints that are enabled, each once. */
  #wanted(configs: readonly EndpointConfig[]): ReadonlyMap<string, EndpointConfig> {
    const wanted = new Map<string, EndpointConfig>()
    for (const config of configs) {
      if (config.enabled === false) continue
      const key = keyOf(config.adapter, config.id)
      if (wanted.has(key))
        this.#ctx.log.error(`endpoints: "${config.id}" of ${config.adapter} is configured twice; the first one is used`)
      else wanted.set(key, config)
    }
    return wanted
  }

  /** Connects an endpoint that runs here now, or disconnects one that does not. Resolves when that has stopped. */
  async replace(adapter: string, id: string): Promise<void> {
    const key = keyOf(adapter, id)
    const endpoint = this.#endpoints.get(key)
    if (endpoint) this.#remove(key, endpoint)
    const stopping = this.#stopping.get(key)
    this.configure(this.#configs)
    await stopping
  }

  #missing(): Endpoint[] {
    return this.all().filter((endpoint) => !endpoint.definition && !this.#reported.has(endpoint))
  }

  #add(key: string, written: EndpointConfig, inbound: EndpointInbound): void {
    const definition = this.#adapters.get(written.adapter)?.value
    const config = structuredClone(written) as EndpointConfig
    const mistakes = definition ? mistakesIn(itemSchema(definition), config) : []
    const endpoint = new Endpoint(
      definition && mistakes.length === 0 ? config : written,
      definition,
      this.#ctx.clock,
      this.#ctx.log,
      inbound,
      this.changed,
    )
    this.#written.set(endpoint, JSON.stringify(written))
    this.#endpoints.set(key, endpoint)
    if (config.permissionLevel !== undefined)
      this.#ctx.log.warn(
        `endpoints: permissionLevel of "${config.id}" was removed and has no effect; use master and trusted`,
      )
    const [first] = mistakes
    if (first) return endpoint.refuse(`endpoints: ${first.path || 'the item'} ${first.message}`)
    const elsewhere = this.#places?.elsewhere(config.adapter, config.id)
    if (elsewhere !== undefined) return endpoint.standBy(elsewhere)
    const stopping = this.#stopping.get(key)
    if (stopping)
      void stopping.then(() => {
        if (this.#endpoints.get(key) === endpoint) endpoint.start()
      })
    else endpoint.start()
  }

  /** Plugins start one after the other. An adapter that is missing after that is mistyped or not enabled. */
  #reportMissing(): void {
    this.#cancelAdapterTimer = undefined
    const { log } = this.#ctx
    const known = this.#adapters.all().map(({ key }) => key)
    for (const endpoint of this.#missing()) {
      this.#reported.add(endpoint)
      const { adapter, id } = endpoint
      const meant = closestMatch(adapter, known)
      const hint = meant === undefined ? adapterHint(adapter) : `did you mean "${meant}"?`
      log.warn(`endpoints: no enabled plugin provides the adapter "${adapter}" of "${id}"; ${hint}`)
    }
  }

  #remove(key: string, endpoint: Endpoint): void {
    this.#endpoints.delete(key)
    // Another endpoint of this account may be stopping already: when an adapter is removed and comes back at once.
    const before = this.#stopping.get(key)
    const stopped = Promise.all([before, endpoint.stop()])
      .then(() => {})
      .finally(() => {
        if (this.#stopping.get(key) === stopped) this.#stopping.delete(key)
      })
    this.#stopping.set(key, stopped)
    this.removed.emit(endpoint)
  }

  /** Disconnects all endpoints. */
  async stop(): Promise<void> {
    this.#inbound = undefined
    this.#stopped = true
    for (const [key, endpoint] of this.#endpoints) this.#remove(key, endpoint)
    await Promise.all(this.#stopping.values())
  }
}
