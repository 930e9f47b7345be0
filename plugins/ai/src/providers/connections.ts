import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { keysOf } from '../config.js'
import type { RegisteredProvider } from '../registry/registry.js'
import type { Connection } from './connection.js'
import { familyOf } from './families.js'
import { KeyRing } from './key-ring.js'

type ProviderConfig = RegisteredProvider['config']

/** The connections to providers, one for each key, opened at their first use. */
export class Connections {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #open = new Map<ProviderConfig, Map<number, Promise<Connection>>>()
  /** Of providers with several keys. */
  readonly #keyRings = new Map<ProviderConfig, KeyRing>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Returns the connection that uses one of the keys of a provider. */
  connect({ config, family, endpoint }: RegisteredProvider, key = 0): Promise<Connection> {
    let ofProvider = this.#open.get(config)
    if (!ofProvider) this.#open.set(config, (ofProvider = new Map()))
    const open = ofProvider
    let connection = open.get(key)
    if (!connection) {
      connection = familyOf(family.name).connect({ ...config, apiKey: keysOf(config)[key] }, endpoint)
      open.set(key, connection)
      // A package that is installed meanwhile is found by the next call.
      connection.catch((error: unknown) => {
        open.delete(key)
        this.#log.debug(messageOf(error))
      })
    }
    return connection
  }

  /** Returns the keys of a provider that has several. */
  keyRing(config: ProviderConfig | undefined): KeyRing | undefined {
    const count = config ? keysOf(config).length : 0
    if (!config || count < 2) return undefined
    let ring = this.#keyRings.get(config)
    if (!ring) this.#keyRings.set(config, (ring = new KeyRing(count, this.#clock)))
    return ring
  }

  /** Lets all keys be used again. */
  clearRests(): void {
    for (const ring of this.#keyRings.values()) ring.clear()
  }

  /** Forgets a provider whose configuration has changed or is gone. Running calls keep their connection. */
  forget(config: ProviderConfig): void {
    this.#open.delete(config)
    this.#keyRings.delete(config)
  }
}
