// Services: who provides what now, who waits for it, and the references of those who do not wait.
import { KernelError } from './errors.js'
import type { HostCore } from './core.js'
import type { Instance } from './instance.js'
import { call } from './owner.js'
import type { Scope } from './scope.js'
import type { Ref, Service } from './token.js'

interface Provided {
  readonly service: Service<unknown>
  readonly value: unknown
  readonly by: Instance | undefined
  /** Its provider is going: those who hold it may still use it, nobody new receives it. */
  leaving: boolean
  /** Set up has succeeded: others may receive it. */
  published: boolean
}

class LateRef<T> implements Ref<T> {
  readonly #listeners = new Set<{ readonly call: (current: T | undefined) => unknown }>()
  readonly #owner: Instance
  readonly #isDeclared: () => boolean
  current: T | undefined

  constructor(owner: Instance, current: T | undefined, isDeclared: () => boolean) {
    this.#owner = owner
    this.current = current
    this.#isDeclared = isDeclared
  }

  get declared(): boolean {
    return this.#isDeclared()
  }

  onChange(listener: (current: T | undefined) => unknown): () => void {
    const entry = { call: listener }
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  set(current: T | undefined): void {
    if (this.current === current) return
    this.current = current
    for (const listener of Array.from(this.#listeners)) {
      if (this.#listeners.has(listener)) call(this.#owner, () => listener.call(current))
      // A listener changed it: everyone was told of that, and must not be told of what was before.
      if (this.current !== current) return
    }
  }

  drop(): void {
    this.#listeners.clear()
  }
}

/** The services of a host and the index from each to those who use it. */
export class Services {
  readonly #provided = new Map<string, Provided>()
  readonly #refs = new Map<string, Set<LateRef<unknown>>>()
  readonly #onPublish: (key: string) => void

  constructor(onPublish: (key: string) => void) {
    this.#onPublish = onPublish
  }

  /** Provides what belongs to the host itself. */
  builtin<T>(service: Service<T>, value: T): void {
    this.#provided.set(service.key, { service, value, by: undefined, leaving: false, published: true })
  }

  provide(service: Service<unknown>, value: unknown, by: Instance): void {
    if (!by.definition.provides?.some((declared) => declared.key === service.key)) {
      throw new KernelError('service/undeclared', `${by.name} provides ${service.id}, which its definition does not list`)
    }
    const other = this.#provided.get(service.key)
    if (other) throw new KernelError('service/already-provided', `${by.name} provides ${service.id}, which ${other.by?.name ?? 'the host'} provides already`)
    const provided: Provided = { service, value, by, leaving: false, published: false }
    this.#provided.set(service.key, provided)
    if (by.running) this.#publish(provided)
  }

  /** Makes what `by` provided during setup known. */
  publish(by: Instance): void {
    for (const service of by.definition.provides ?? []) {
      const provided = this.#provided.get(service.key)
      if (provided?.by === by && !provided.published) this.#publish(provided)
    }
  }

  #publish(provided: Provided): void {
    provided.published = true
    for (const ref of this.#refs.get(provided.service.key) ?? []) ref.set(provided.value)
    this.#onPublish(provided.service.key)
  }

  /** From here on nobody new receives what `by` provides, and late references are empty. */
  leave(by: Instance): void {
    for (const service of by.definition.provides ?? []) {
      const provided = this.#provided.get(service.key)
      if (provided?.by !== by) continue
      provided.leaving = true
      for (const ref of this.#refs.get(service.key) ?? []) ref.set(undefined)
    }
  }

  /** Ends a service. Resolves when those who used it have stopped. */
  withdraw(service: Service<unknown>, by: Instance): Promise<void> | undefined {
    const provided = this.#provided.get(service.key)
    if (provided?.by !== by) return undefined
    this.#provided.delete(service.key)
    for (const ref of this.#refs.get(service.key) ?? []) ref.set(undefined)
    return provided.published && !provided.leaving ? by.providesNoLonger(service.key) : undefined
  }

  isHeldByOther(key: string, instance: Instance): boolean {
    const provided = this.#provided.get(key)
    return provided !== undefined && provided.by !== instance
  }

  /** The implementation, where it may be received now. */
  get(key: string): { value: unknown } | undefined {
    const provided = this.#provided.get(key)
    return provided && provided.published && !provided.leaving ? provided : undefined
  }

  ref(key: string, owner: Instance, scope: Scope, isDeclared: () => boolean): Ref<unknown> {
    const ref = new LateRef<unknown>(owner, this.get(key)?.value, isDeclared)
    let refs = this.#refs.get(key)
    if (!refs) this.#refs.set(key, (refs = new Set()))
    refs.add(ref)
    scope.own(`late ${key}`, () => {
      refs.delete(ref)
      if (refs.size === 0 && this.#refs.get(key) === refs) this.#refs.delete(key)
      ref.drop()
    })
    return ref
  }

  count(): { services: number; references: number } {
    let references = 0
    for (const refs of this.#refs.values()) references += refs.size
    let services = 0
    for (const { by } of this.#provided.values()) if (by) services++
    return { services, references }
  }
}

/** The values behind a plugin's needs, for its context. */
export function resolveNeeds(core: HostCore, instance: Instance, scope: Scope): Record<string, unknown> {
  const resolved: Record<string, unknown> = {}
  for (const [name, need] of Object.entries(instance.definition.needs ?? {})) {
    const { kind } = need
    if (kind === 'late') {
      const { key } = need.service
      resolved[name] = core.services.ref(key, instance, scope, () => core.graph.isDeclared(key))
    } else if (need.kind === 'if-enabled') resolved[name] = core.graph.isDeclared(need.service.key) ? core.services.get(need.service.key)?.value : undefined
    else resolved[name] = core.services.get(need.key)?.value
  }
  return resolved
}
