// A map that forgets what is oldest. Two generations instead of one that deletes its first key: deleting from the front of a map is slow.

export class GenerationalMap<V> {
  readonly #size: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** @param size Entries that are remembered at least. */
  constructor(size: number) {
    this.#size = size
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: string, value: V): void {
    this.#young.set(key, value)
    if (this.#young.size < this.#size) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
