interface CachedValue {
  readonly value: unknown
  readonly at: number
  readonly bytes: number
}

/** A cache with a limit in bytes. The oldest values are removed first. */
export class ByteCache {
  readonly #limit: number
  readonly #kept = new Map<string, CachedValue>()
  #bytes = 0

  /** @param limit bytes of JSON */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): { readonly value: unknown; readonly at: number } | undefined {
    return this.#kept.get(key)
  }

  /** Bytes of all values. */
  get bytes(): number {
    return this.#bytes
  }

  /** Stores a value and removes older ones if necessary. Ignores a value that is larger than the cache. */
  set(key: string, value: unknown, at: number): void {
    this.#drop(key)
    const bytes = key.length + JSON.stringify(value).length
    if (bytes > this.#limit) return
    this.#kept.set(key, { value, at, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limit) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#bytes -= kept.bytes
  }
}
