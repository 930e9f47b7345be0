import { endpointPlace, type Cluster } from '@mynah/kernel'
import type { EndpointKey } from '../api/store.js'
import type { EndpointConfig } from '../config.js'
import type { EndpointPlaces } from '../endpoints/endpoints.js'

const ELSEWHERE = 'another host runs it'

/** The parts of chat that follow the endpoints of this host. */
interface Parts {
  /** Whether what the endpoints receive can be stored. */
  isReady(): boolean
  /** Connects or disconnects an endpoint, as {@link EndpointPlaces.elsewhere} says now. */
  replace(key: EndpointKey): Promise<void>
  /** Starts to handle no more messages of an endpoint. */
  leave(key: EndpointKey): void
  /** Resolves when nothing of an endpoint is being stored or recovered. */
  left(key: EndpointKey): Promise<void>
  /** Forgets what waits for an endpoint that another host has gone on with. */
  enter(key: EndpointKey): void
  /** Whether messages of an endpoint are being handled. */
  isBusy(key: EndpointKey): boolean
}

interface Offered {
  readonly key: EndpointKey
  readonly hosts: string
  readonly remove: () => void
}

const nameOf = ({ adapter, endpoint }: EndpointKey): string => endpointPlace(adapter, endpoint)

/** The endpoints of the configuration, each of which one host of a cluster runs. */
export class SharedEndpoints implements EndpointPlaces {
  readonly #cluster: Cluster
  readonly #parts: Parts
  readonly #offered = new Map<string, Offered>()
  readonly #here = new Set<string>()
  #isClosed = false

  constructor(cluster: Cluster, parts: Parts) {
    this.#cluster = cluster
    this.#parts = parts
  }

  configured(configs: readonly EndpointConfig[]): void {
    if (this.#isClosed) return
    const wanted = new Map(configs.map((config) => [endpointPlace(config.adapter, config.id), config]))
    for (const [place, { hosts, remove }] of this.#offered) {
      if (hosts === JSON.stringify(wanted.get(place)?.hosts ?? [])) continue
      this.#offered.delete(place)
      this.#here.delete(place)
      remove()
    }
    for (const [place, { adapter, id, hosts = [] }] of wanted) {
      if (this.#offered.has(place)) continue
      const key = { adapter, endpoint: id }
      // Known before the work is added, which starts at once where the place is here already.
      this.#offered.set(place, { key, hosts: JSON.stringify(hosts), remove: this.#run(key, hosts) })
    }
  }

  elsewhere(adapter: string, endpoint: string): string | undefined {
    if (!this.#here.has(endpointPlace(adapter, endpoint))) return ELSEWHERE
    return this.#parts.isReady() ? undefined : 'the store of its messages is not ready yet'
  }

  /** Looks again whether messages can be stored. */
  async check(): Promise<void> {
    const keys = [...this.#offered].filter(([place]) => this.#here.has(place)).map(([, { key }]) => key)
    await Promise.all(keys.map((key) => this.#parts.replace(key)))
  }

  close(): void {
    this.#isClosed = true
    for (const { remove } of this.#offered.values()) remove()
    this.#offered.clear()
  }

  #run(key: EndpointKey, hosts: readonly string[]): () => void {
    const place = nameOf(key)
    let hasLeft = false
    return this.#cluster.run(
      place,
      {
        start: () => {
          if (hasLeft) this.#parts.enter(key)
          hasLeft = false
          this.#here.add(place)
          void this.#parts.replace(key)
        },
        leave: () => {
          hasLeft = true
          // It stays so until the place is here again.
          this.#parts.leave(key)
        },
        stop: async () => {
          this.#here.delete(place)
          await this.#parts.replace(key)
          // The next host looks once for what is stored.
          if (hasLeft) await this.#parts.left(key)
        },
        isBusy: () => this.#parts.isBusy(key),
      },
      hosts,
    )
  }
}
