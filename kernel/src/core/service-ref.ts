import { call } from '../base/guard.js'
import type { Ref } from '../base/token.js'
import type { Instance } from './instance.js'
import type { Scope } from './scope.js'

/** A reference to a service that comes and goes. It is emptied when its plugin stops. */
export class ServiceRef<T> implements Ref<T> {
  readonly #listeners = new Set<{ readonly call: (current: T | undefined) => unknown }>()
  readonly #owner: Instance
  readonly #scope: Scope
  readonly #key: string
  readonly #isDeclared: () => boolean
  #current: T | undefined

  constructor(owner: Instance, scope: Scope, key: string, current: T | undefined, isDeclared: () => boolean) {
    this.#owner = owner
    this.#scope = scope
    this.#key = key
    this.#current = current
    this.#isDeclared = isDeclared
  }

  get current(): T | undefined {
    return this.#current
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

  /** Changes the value and notifies listeners. */
  set(current: T | undefined): void {
    if (this.#current === current) return
    this.#current = current
    for (const listener of Array.from(this.#listeners)) {
      if (this.#listeners.has(listener)) void call(this.#owner, () => listener.call(current))
      // A listener changed it again: all listeners know the newer value, so the older one is not sent any more.
      if (this.#current !== current) return
    }
  }

  /** Empties the reference without notifying listeners. */
  clear(): void {
    this.#current = undefined
  }
}
