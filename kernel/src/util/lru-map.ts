/**
 * A map with a bound: when it is full, the entry that was used least recently is removed.
 * Reading with {@link LruMap.get} and writing with {@link LruMap.set} both count as use; {@link LruMap.peek} does not.
 */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #capacity: number
  readonly #onEvict: ((key: K, value: V) => void) | undefined

  /**
   * @param capacity the number of entries kept, at least 1
   * @param onEvict called with each entry that is removed because the map is full
   */
  constructor(capacity: number, onEvict?: (key: K, value: V) => void) {
    if (!(capacity >= 1)) throw new RangeError(`capacity must be at least 1, got ${capacity}`)
    this.#capacity = capacity
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** Returns the value without marking the entry as used. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** Returns the value and marks the entry as used. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined && !this.#entries.has(key)) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value as V)
    return value
  }

  /** Stores the value as the most recently used one. Removes the least recently used entry when the map is full. */
  set(key: K, value: V): this {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) {
      const [oldest, evicted] = this.#entries.entries().next().value as [K, V]
      this.#entries.delete(oldest)
      this.#onEvict?.(oldest, evicted)
    }
    return this
  }

  /** Returns the value, or stores and returns the one that `create` makes. */
  getOrCreate(key: K, create: () => V): V {
    if (this.#entries.has(key)) return this.get(key) as V
    const value = create()
    this.set(key, value)
    return value
  }

  delete(key: K): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Entries from the least to the most recently used one. */
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries()
  }

  keys(): IterableIterator<K> {
    return this.#entries.keys()
  }

  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries.entries()
  }
}
