/**
 * A map that forgets its oldest entries. It has two generations, since deleting the first key of a large map is slow.
 */
export class GenerationalMap<V> {
  readonly #size: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** @param size how many entries are remembered at least */
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
