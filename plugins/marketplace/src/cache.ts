// Answers that are kept: the newest, up to a number of bytes.

interface Kept {
  readonly value: unknown
  readonly at: number
  readonly bytes: number
}

export class Cache {
  readonly #limit: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** `limit` is in bytes of JSON. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): { readonly value: unknown; readonly at: number } | undefined {
    return this.#kept.get(key)
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Keeps a value; older ones go where there is no room, and one larger than all room is not kept. */
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
