import { KernelError } from '../base/errors.js'
import type { Ref, Service } from '../base/token.js'
import type { Instance } from './instance.js'
import type { AnyPlugin } from './plugin.js'
import { Provided } from './provided.js'
import type { Scope } from './scope.js'
import { ServiceRef } from './service-ref.js'

/** The services of a host: who provides each of them now, and the references that follow them. */
export class Services {
  readonly #provided = new Map<string, Provided<Instance>>()
  /** Withdrawn by plugins that run on, and still held. */
  readonly #withdrawn = new Set<Provided<Instance>>()
  readonly #refs = new Map<string, Set<ServiceRef<unknown>>>()
  readonly #onChange: (key: string) => void

  /** @param onChange called when a service becomes available, or when another plugin may provide it */
  constructor(onChange: (key: string) => void) {
    this.#onChange = onChange
  }

  /** Provides a service of the host itself. */
  builtin<T>(service: Service<T>, value: T): void {
    this.#provided.set(service.key, new Provided<Instance>(service, value, undefined, 'published'))
  }

  /**
   * Puts a value behind a service. The returned function withdraws it, and returns a promise for the end of its last
   * holder, if there is one.
   *
   * @param definition the code that provides it, which may be in the middle of its replacement
   * @throws KernelError `service/undeclared` or `service/already-provided`
   */
  provide(
    service: Service<unknown>,
    value: unknown,
    provider: Instance,
    { provides }: AnyPlugin = provider.definition,
  ): () => Promise<void> | undefined {
    if (!provides?.some((declared) => declared.key === service.key)) {
      const message = `${provider.name} provides ${service.id}, which its definition does not list`
      throw new KernelError('service/undeclared', message)
    }
    const other = this.#provided.get(service.key)
    if (other) {
      const owner = other.provider?.name ?? 'the host'
      const message = `${provider.name} provides ${service.id}, which ${owner} provides already`
      throw new KernelError('service/already-provided', message)
    }
    const provided = new Provided(service, value, provider, 'unpublished')
    this.#provided.set(service.key, provided)
    // During setup it stays unpublished until setup succeeds, and while stopping for good.
    if (provider.isUp) this.#publish(provided)
    return () => this.#withdraw(provided)
  }

  /** Publishes what `provider` provided during setup. */
  publish(provider: Instance): void {
    for (const provided of this.#of(provider)) if (provided.status === 'unpublished') this.#publish(provided)
  }

  #publish(provided: Provided<Instance>): void {
    provided.status = 'published'
    this.#setRefs(provided.service.key, provided.value)
    this.#onChange(provided.service.key)
  }

  #setRefs(key: string, value: unknown): void {
    for (const ref of Array.from(this.#refs.get(key) ?? [])) ref.set(value)
  }

  /** Makes the services of `provider` unavailable to new consumers and empties references. Returns their holders. */
  leave(provider: Instance): Instance[] {
    const holders: Instance[] = []
    for (const provided of this.#of(provider)) {
      if (provided.status === 'leaving') continue
      provided.status = 'leaving'
      holders.push(...provided.holders)
      this.#setRefs(provided.service.key, undefined)
    }
    return holders
  }

  #of(provider: Instance): Provided<Instance>[] {
    // Not by the definition, which may have been replaced since.
    return Array.from(this.#provided.values()).filter((provided) => provided.provider === provider)
  }

  /** Resolves when no plugin holds what `provider` provides or has withdrawn; undefined when none does now. */
  whenReleased(provider: Instance): Promise<unknown> | undefined {
    const withdrawn = Array.from(this.#withdrawn).filter((provided) => provided.provider === provider)
    const waiting = [...this.#of(provider), ...withdrawn]
      .map((provided) => provided.whenReleased())
      .filter((released) => released !== undefined)
    return waiting.length ? Promise.all(waiting) : undefined
  }

  #withdraw(provided: Provided<Instance>): Promise<void> | undefined {
    const { key } = provided.service
    if (this.#provided.get(key) !== provided) return undefined
    this.#provided.delete(key)
    if (provided.status !== 'leaving') {
      provided.status = 'leaving'
      this.#setRefs(key, undefined)
    }
    this.#onChange(key)
    const released = provided.whenReleased()
    if (!released) return undefined
    this.#withdrawn.add(provided)
    return released.then(() => void this.#withdrawn.delete(provided))
  }

  isHeldByOther(key: string, instance: Instance): boolean {
    const provided = this.#provided.get(key)
    return provided !== undefined && provided.provider !== instance
  }

  /** Returns the published implementation. */
  get(key: string): Provided<Instance> | undefined {
    const provided = this.#provided.get(key)
    return provided?.status === 'published' ? provided : undefined
  }

  /** Makes a reference that follows a service until the scope closes. */
  ref(key: string, owner: Instance, scope: Scope, isDeclared: () => boolean): Ref<unknown> {
    const ref = new ServiceRef<unknown>(owner, scope, key, this.get(key)?.value, isDeclared)
    let refs = this.#refs.get(key)
    if (!refs) this.#refs.set(key, (refs = new Set()))
    refs.add(ref)
    scope.onDispose(`ref ${key}`, () => {
      refs.delete(ref)
      if (refs.size === 0 && this.#refs.get(key) === refs) this.#refs.delete(key)
      ref.clear()
    })
    return ref
  }

  count(): { services: number; references: number } {
    const references = Array.from(this.#refs.values()).reduce((count, { size }) => count + size, 0)
    const services = Array.from(this.#provided.values()).filter(({ provider }) => provider).length
    return { services, references }
  }
}
