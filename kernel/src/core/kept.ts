import { messageOf } from '../base/to-error.js'
import { isPlain } from '../util/is-plain.js'

/** How {@link BaseContext.keep} treats a value when the code of the plugin is replaced, or the process. */
export interface KeepOptions<T> {
  /**
   * Makes the value of the new code from that of the code before. Needed where the value has classes or functions of
   * the plugin: it would keep the old ones.
   */
  adopt?(previous: T): T
  /**
   * Keeps the value over a restart of the process as well. It is stored when the plugin stops. Only for plain values of
   * at most 64 KB.
   */
  readonly durable?: boolean
}

/** Where durable values are between two processes. */
export interface KeptStore {
  /** Returns the values of a plugin, empty where there are none. */
  read(plugin: string): ReadonlyMap<string, unknown>
  /** @throws an error that says which value cannot be stored; the others are stored then */
  write(plugin: string, values: ReadonlyMap<string, unknown>): Promise<void>
  remove(plugin: string): void
}

/** The state that one plugin keeps over its restarts, and over the replacement of its code. */
export class Kept {
  readonly #plugin: string
  readonly #store: KeptStore | undefined
  readonly #warn: (message: string) => void
  /** Of the code that runs. */
  #values = new Map<string, unknown>()
  /** Of the code before. They stay until the new code has started, and those that it has not asked for longer. */
  #previous = new Map<string, unknown>()
  #hasStarted = false
  #stored: Map<string, unknown> | undefined
  readonly #durable = new Set<string>()

  constructor(plugin: string, store: KeptStore | undefined, warn: (message: string) => void) {
    this.#plugin = plugin
    this.#store = store
    this.#warn = warn
  }

  keep<T>(key: string, init: () => T, { adopt, durable = false }: KeepOptions<T> = {}): T {
    if (!this.#values.has(key)) {
      const value = this.#first(key, init, adopt, durable)
      if (durable && !isPlain(value))
        throw new TypeError(`keep "${key}" is durable, so it must be plain: no classes of its own and no functions`)
      this.#values.set(key, value)
    }
    if (durable) this.#durable.add(key)
    return this.#values.get(key) as T
  }

  #first<T>(key: string, init: () => T, adopt: ((previous: T) => T) | undefined, durable: boolean): unknown {
    if (this.#previous.has(key)) {
      const previous = this.#previous.get(key) as T
      if (adopt) return adopt(previous)
      if (isPlain(previous)) return previous
      this.#warn(
        `keep "${key}" begins with a new value, as the one of the code before has classes or functions of that code; ` +
          'give keep an "adopt" that makes the new value from it',
      )
      return init()
    }
    const stored = durable ? this.#read() : undefined
    if (!stored?.has(key)) return init()
    const value = stored.get(key) as T
    return adopt ? adopt(value) : value
  }

  #read(): Map<string, unknown> {
    if (this.#stored) return this.#stored
    try {
      this.#stored = new Map(this.#store?.read(this.#plugin))
    } catch (error) {
      this.#warn(`failed to read the state that it kept: ${messageOf(error)}`)
      this.#stored = new Map()
    }
    return this.#stored
  }

  /** Begins a generation: other code takes over what the code before has kept. */
  renew(): void {
    // Code that never started has only made values of its own.
    if (this.#hasStarted) this.#previous = new Map([...this.#previous, ...this.#values])
    this.#values = new Map()
    this.#hasStarted = false
  }

  /** Notes that the code has started, so that the values that it has taken over are its own. */
  started(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    for (const key of this.#values.keys()) this.#previous.delete(key)
  }

  /** Returns to the code before, which has its values back. */
  restore(): void {
    this.#values = this.#previous
    this.#previous = new Map()
    this.#hasStarted = true
  }

  /** Stores what is durable. Never rejects: a plugin also stops where the disk is full. */
  async save(): Promise<void> {
    if (!this.#store || this.#durable.size === 0) return
    const values = new Map(this.#read())
    for (const key of this.#durable) if (this.#values.has(key)) values.set(key, this.#values.get(key))
    try {
      await this.#store.write(this.#plugin, values)
    } catch (error) {
      this.#warn(`failed to store the state that it keeps: ${messageOf(error)}`)
    }
  }

  /** Forgets everything, also what is stored. */
  forget(): void {
    this.#values.clear()
    this.#previous.clear()
    try {
      this.#store?.remove(this.#plugin)
    } catch (error) {
      this.#warn(`failed to remove the state that it kept: ${messageOf(error)}`)
    }
  }

  keys(): string[] {
    return Array.from(new Set([...this.#values.keys(), ...this.#previous.keys()]))
  }
}
