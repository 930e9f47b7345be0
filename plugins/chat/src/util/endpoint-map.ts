import type { EndpointKey } from '../api/store.js'

/** Values by endpoint. Looked up for each message, so no name is put together for it. */
export class EndpointMap<V> {
  readonly #byAdapter = new Map<string, Map<string, V>>()

  /** Returns the value, or stores and returns the one that `create` makes. */
  getOrCreate(key: EndpointKey, create: () => V): V {
    let byEndpoint = this.#byAdapter.get(key.adapter)
    if (!byEndpoint) this.#byAdapter.set(key.adapter, (byEndpoint = new Map()))
    let value = byEndpoint.get(key.endpoint)
    if (value === undefined) byEndpoint.set(key.endpoint, (value = create()))
    return value
  }

  delete({ adapter, endpoint }: EndpointKey): void {
    this.#byAdapter.get(adapter)?.delete(endpoint)
  }

  /** Returns all values, by adapter. */
  get({ adapter, endpoint }: EndpointKey): V | undefined {
    return this.#byAdapter.get(adapter)?.get(endpoint)
  }

  values(): V[] {
    return Array.from(this.#byAdapter.values(), (byEndpoint) => [...byEndpoint.values()]).flat()
  }
}
