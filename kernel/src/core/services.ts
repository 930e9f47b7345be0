// Services: who provides what now, who holds it, and the references of those who do not wait.
import { KernelError } from '../base/errors.js'
import { call } from '../base/guard.js'
import type { Ref, Service } from '../base/token.js'
import type { Instance, Provided } from './instance.js'
import type { Scope } from './scope.js'

class LateRef<T> implements Ref<T> {
  readonly #listeners = new Set<{ readonly call: (current: T | undefined) => unknown }>()
  readonly #owner: Instance
  readonly #scope: Scope
  readonly #key: string
  readonly #isDeclared: () => boolean
  current: T | undefined

  constructor(owner: Instance, scope: Scope, key: string, current: T | undefined, isDeclared: () => boolean) {
    this.#owner = owner
    this.#scope = scope
    this.#key = key
    this.current = current
    this.#isDeclared = isDeclared
  }

  get declared(): boolean {
    return this.#isDeclared()
  }

  onChange(listener: (current: T | undefined) => unknown): () => void {
    this.#scope.assertOpen(`listen to ${this.#key}`)
    const entry = { call: listener }
    this.#listeners.add(entry)
    return this.#scope.onDispose(`listen to ${this.#key}`, () => void this.#listeners.delete(entry)) as () => void
  }

  set(current: T | undefined): void {
    if (this.current === current) return
    this.current = current
    for (const listener of Array.from(this.#listeners)) {
      if (this.#listeners.has(listener)) void call(this.#owner, () => listener.call(current))
      // A listener changed it: everyone was told of that, and must not be told of what was before.
      if (this.current !== current) return
    }
  }
}

/** The services of a host and the index from each to those who use it. */
export class Services {
  readonly #provided = new Map<string, Provided>()
  /** Taken back by a plugin that runs on, and still held. */
  readonly #withdrawn = new Set<Provided>()
  readonly #refs = new Map<string, Set<LateRef<unknown>>>()
  readonly #changed: (key: string) => void

  /** @param changed Told when a service can be received, or when there is room for another of that key. */
  constructor(changed: (key: string) => void) {
    this.#changed = changed
  }

  /** Provides what belongs to the host itself. */
  builtin<T>(service: Service<T>, value: T): void {
    this.#provided.set(service.key, {
      service,
      value,
      by: undefined,
      leaving: false,
      published: true,
      holders: new Set(),
      released: undefined,
    })
  }

  /** Puts a value behind a service; the returned function ends it, and gives what resolves when its holders have stopped. */
  provide(service: Service<unknown>, value: unknown, by: Instance): () => Promise<void> | undefined {
    if (!by.definition.provides?.some((declared) => declared.key === service.key)) {
      throw new KernelError(
        'service/undeclared',
        `${by.name} provides ${service.id}, which its definition does not list`,
      )
    }
    const other = this.#provided.get(service.key)
    if (other)
      throw new KernelError(
        'service/already-provided',
        `${by.name} provides ${service.id}, which ${other.by?.name ?? 'the host'} provides already`,
      )
    const provided: Provided = {
      service,
      value,
      by,
      leaving: false,
      published: false,
      holders: new Set(),
      released: undefined,
    }
    this.#provided.set(service.key, provided)
    // During setup it waits for the end of that; of one that is stopping nobody receives anything new.
    if (by.isUp) this.#publish(provided)
    return () => this.#withdraw(provided)
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
    this.#tell(provided.service.key, provided.value)
    this.#changed(provided.service.key)
  }

  #tell(key: string, value: unknown): void {
    for (const ref of Array.from(this.#refs.get(key) ?? [])) ref.set(value)
  }

  /** From here on nobody new receives what `by` provides, and late references are empty. Gives those who hold it. */
  leave(by: Instance): Instance[] {
    const holders: Instance[] = []
    for (const provided of this.#of(by)) {
      if (provided.leaving) continue
      provided.leaving = true
      holders.push(...provided.holders)
      this.#tell(provided.service.key, undefined)
    }
    return holders
  }

  /** What `by` provides now. */
  #of(by: Instance): Provided[] {
    const own: Provided[] = []
    for (const { key } of by.definition.provides ?? []) {
      const provided = this.#provided.get(key)
      if (provided?.by === by) own.push(provided)
    }
    return own
  }

  /** Resolves when nobody holds what `by` provides or has taken back; undefined where nobody does. */
  free(by: Instance): Promise<unknown> | undefined {
    const withdrawn = Array.from(this.#withdrawn).filter((provided) => provided.by === by)
    const waiting = [...this.#of(by), ...withdrawn].map(released).filter((wait) => wait !== undefined)
    return waiting.length ? Promise.all(waiting) : undefined
  }

  #withdraw(provided: Provided): Promise<void> | undefined {
    const { key } = provided.service
    if (this.#provided.get(key) !== provided) return undefined
    this.#provided.delete(key)
    if (!provided.leaving) {
      provided.leaving = true
      this.#tell(key, undefined)
    }
    this.#changed(key)
    const waiting = released(provided)
    if (!waiting) return undefined
    this.#withdrawn.add(provided)
    return waiting.then(() => void this.#withdrawn.delete(provided))
  }

  isHeldByOther(key: string, instance: Instance): boolean {
    const provided = this.#provided.get(key)
    return provided !== undefined && provided.by !== instance
  }

  /** The implementation, where it may be received now. */
  get(key: string): Provided | undefined {
    const provided = this.#provided.get(key)
    return provided && provided.published && !provided.leaving ? provided : undefined
  }

  ref(key: string, owner: Instance, scope: Scope, isDeclared: () => boolean): Ref<unknown> {
    const ref = new LateRef<unknown>(owner, scope, key, this.get(key)?.value, isDeclared)
    let refs = this.#refs.get(key)
    if (!refs) this.#refs.set(key, (refs = new Set()))
    refs.add(ref)
    scope.onDispose(`ref ${key}`, () => {
      refs.delete(ref)
      if (refs.size === 0 && this.#refs.get(key) === refs) this.#refs.delete(key)
      ref.current = undefined
    })
    return ref
  }

  count(): { services: number; references: number } {
    const references = Array.from(this.#refs.values()).reduce((count, { size }) => count + size, 0)
    return { services: Array.from(this.#provided.values()).filter(({ by }) => by).length, references }
  }
}

/** Resolves when nobody holds it; undefined where nobody does. */
function released(provided: Provided): Promise<void> | undefined {
  if (provided.holders.size === 0) return undefined
  return new Promise((resolve) => {
    const before = provided.released
    provided.released = () => {
      before?.()
      resolve()
    }
  })
}

/** From here on `instance` holds what it is given. */
export function hold(instance: Instance, given: readonly (Provided | undefined)[]): void {
  for (const provided of given) provided?.holders.add(instance)
}

/** `instance` has stopped using what it was given. */
export function release(instance: Instance, given: readonly (Provided | undefined)[]): void {
  for (const provided of given) {
    if (!provided?.holders.delete(instance) || provided.holders.size > 0) continue
    const { released } = provided
    provided.released = undefined
    released?.()
  }
}
