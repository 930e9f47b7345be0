// All endpoints of a host: those of the configuration, each with the adapter that is registered under its name.
import { closestMatch, type Clock, type Logger, type Reader } from '@mynah/kernel'
import { mistakesIn } from '@mynah/contract/validate'
import { Type, type TObject } from '@mynah/contract/type'
import { WireError } from '@mynah/contract'
import type { Adapter } from '../api/adapter.js'
import { endpointKeys, type EndpointConfig } from '../config.js'
import { Endpoint, type EndpointEvents } from './endpoint.js'

interface Deps {
  readonly adapters: Reader<Adapter>
  readonly clock: Clock
  readonly log: Logger
  readonly events: (endpoint: Endpoint) => EndpointEvents
  readonly removed: (endpoint: Endpoint) => void
}

/** Time that the plugin of an adapter has to come before it is told that it did not, ms. */
const ADAPTER_MS = 10_000
const keyOf = (adapter: string, id: string): string => `${adapter}|${id}`
const schemas = new WeakMap<Adapter, TObject>()

/** The schema of one item of `endpoints` for an adapter. */
export function itemSchema(adapter: Adapter): TObject {
  let schema = schemas.get(adapter)
  if (!schema)
    schemas.set(
      adapter,
      (schema = Type.Object({ ...endpointKeys, ...adapter.schema?.properties }, { additionalProperties: false })),
    )
  return schema
}

export class Endpoints {
  readonly #deps: Deps
  readonly #endpoints = new Map<string, Endpoint>()
  #configs: readonly EndpointConfig[] = []
  #started = false
  #stopped = false
  /** Ends the wait for adapters that are missing. */
  #waiting: (() => void) | undefined
  /** Endpoints whose missing adapter was told. */
  readonly #told = new WeakSet<Endpoint>()
  /** Stops run one after the other with the starts that follow them, so that one account is never connected twice. */
  readonly #stopping = new Map<string, Promise<void>>()
  /** What stands in the configuration decides whether an endpoint has changed, not what the schema filled in. */
  readonly #written = new WeakMap<Endpoint, string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  all(): readonly Endpoint[] {
    return Array.from(this.#endpoints.values())
  }

  find(adapter: string, id: string): Endpoint | undefined {
    return this.#endpoints.get(keyOf(adapter, id))
  }

  /** Whether an endpoint is configured that is not made yet, or is about to be made anew. */
  isExpected(adapter: string, id: string): boolean {
    const key = keyOf(adapter, id)
    if (this.#stopping.has(key)) return this.#endpoints.has(key)
    return !this.#started && !this.#stopped
  }

  /** The endpoint, or `not_found`. */
  get(adapter: string, id: string): Endpoint {
    const endpoint = this.find(adapter, id)
    if (!endpoint) throw new WireError('not_found', `No endpoint "${id}" of the adapter "${adapter}"`)
    return endpoint
  }

  /** Begins to connect. */
  start(configs: readonly EndpointConfig[]): void {
    this.#started = true
    this.configure(configs)
  }

  /** Starts, stops and replaces endpoints so that they are those of `configs`; the others notice nothing. */
  configure(configs: readonly EndpointConfig[]): void {
    this.#configs = configs
    if (!this.#started) return
    const wanted = new Map<string, EndpointConfig>()
    for (const config of configs) {
      if (config.enabled === false) continue
      const key = keyOf(config.adapter, config.id)
      if (wanted.has(key))
        this.#deps.log.error(`endpoints: "${config.id}" of ${config.adapter} is there twice; the first counts`)
      else wanted.set(key, config)
    }
    for (const [key, endpoint] of this.#endpoints) {
      const config = wanted.get(key)
      const definition = this.#deps.adapters.get(endpoint.adapter)?.value
      if (config && JSON.stringify(config) === this.#written.get(endpoint) && definition === endpoint.definition)
        continue
      this.#remove(key, endpoint)
    }
    for (const [key, config] of wanted) if (!this.#endpoints.has(key)) this.#add(key, config)
    if (this.#missing().length > 0) this.#waiting ??= this.#deps.clock.setTimeout(() => this.#tellMissing(), ADAPTER_MS)
    else {
      this.#waiting?.()
      this.#waiting = undefined
    }
  }

  #missing(): Endpoint[] {
    return this.all().filter((endpoint) => !endpoint.definition && !this.#told.has(endpoint))
  }

  /** Adapters came or went: the endpoints concerned follow. */
  adaptersChanged(): void {
    this.configure(this.#configs)
  }

  #add(key: string, written: EndpointConfig): void {
    const definition = this.#deps.adapters.get(written.adapter)?.value
    const config = structuredClone(written) as EndpointConfig
    const mistakes = definition ? mistakesIn(itemSchema(definition), config) : []
    const endpoint = new Endpoint(
      definition && mistakes.length === 0 ? config : written,
      definition,
      this.#deps.clock,
      this.#deps.log,
      this.#deps.events,
    )
    this.#written.set(endpoint, JSON.stringify(written))
    this.#endpoints.set(key, endpoint)
    if (config.permissionLevel !== undefined)
      this.#deps.log.warn(
        `endpoints: permissionLevel of "${config.id}" was removed and has no effect; use master and trusted`,
      )
    const [first] = mistakes
    if (first) return endpoint.refuse(`endpoints: ${first.path || 'the item'} ${first.message}`)
    const stopping = this.#stopping.get(key)
    if (stopping)
      void stopping.then(() => {
        if (this.#endpoints.get(key) === endpoint) endpoint.start()
      })
    else endpoint.start()
  }

  /** Plugins come one after the other; the adapter that is not there when all have was mistyped, or is not enabled. */
  #tellMissing(): void {
    this.#waiting = undefined
    const { adapters, log } = this.#deps
    const known = adapters.all().map(({ key }) => key)
    for (const endpoint of this.#missing()) {
      this.#told.add(endpoint)
      const { adapter, id } = endpoint
      const meant = closestMatch(adapter, known)
      log.warn(
        `endpoints: no enabled plugin brings the adapter "${adapter}" of "${id}"${meant === undefined ? '; add the one that does to plugins' : `; did you mean "${meant}"?`}`,
      )
    }
  }

  #remove(key: string, endpoint: Endpoint): void {
    this.#endpoints.delete(key)
    // Beside one that stops already: when an adapter goes, its account gives way to one that waits for it, and that may stop first.
    const before = this.#stopping.get(key)
    const stopped = Promise.all([before, endpoint.stop()])
      .then(() => {})
      .finally(() => {
        if (this.#stopping.get(key) === stopped) this.#stopping.delete(key)
      })
    this.#stopping.set(key, stopped)
    this.#deps.removed(endpoint)
  }

  /** Disconnects all. */
  async stop(): Promise<void> {
    this.#started = false
    this.#stopped = true
    for (const [key, endpoint] of this.#endpoints) this.#remove(key, endpoint)
    await Promise.all(this.#stopping.values())
  }
}
