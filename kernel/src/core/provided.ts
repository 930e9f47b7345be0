import type { Owner } from '../base/guard.js'
import type { Service } from '../base/token.js'

/**
 * An implementation behind a service. Consumers depend on its identity: the same value provided again is another one.
 *
 * - `unpublished`: its provider is still in setup, so no plugin receives it
 * - `published`: any plugin receives it
 * - `leaving`: its provider stops; holders keep using it, no other plugin receives it
 */
export class Provided<Plugin extends Owner = Owner> {
  readonly service: Service<unknown>
  readonly value: unknown
  /** The plugin that provides it; undefined for services of the host. */
  readonly provider: Plugin | undefined
  status: 'unpublished' | 'published' | 'leaving'
  readonly #holders = new Set<Plugin>()
  #onReleased: (() => void)[] = []

  constructor(
    service: Service<unknown>,
    value: unknown,
    provider: Plugin | undefined,
    status: 'unpublished' | 'published',
  ) {
    this.service = service
    this.value = value
    this.provider = provider
    this.status = status
  }

  /** Plugins that received it and have not stopped yet. */
  get holders(): Iterable<Plugin> {
    return this.#holders
  }

  hold(instance: Plugin): void {
    this.#holders.add(instance)
  }

  release(instance: Plugin): void {
    if (!this.#holders.delete(instance) || this.#holders.size > 0) return
    const waiting = this.#onReleased
    this.#onReleased = []
    for (const resolve of waiting) resolve()
  }

  /** Resolves when the last holder has released it; undefined when there is none. */
  whenReleased(): Promise<void> | undefined {
    if (this.#holders.size === 0) return undefined
    return new Promise((resolve) => this.#onReleased.push(resolve))
  }
}
