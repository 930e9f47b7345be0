// Things in progress: added and taken out without hashing, since every message comes by here.

export interface Indexed {
  /** Its place in the list; -1 outside of it. */ index: number
}

export class UnorderedSet<T extends Indexed> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    item.index = this.#items.length
    this.#items.push(item)
  }

  /** Takes an item out; the last one takes its place. */
  delete(item: T): void {
    const { index: place } = item
    if (this.#items[place] !== item) return
    const last = this.#items.pop() as T
    item.index = -1
    if (last === item) return
    this.#items[place] = last
    last.index = place
  }

  all(): readonly T[] {
    return this.#items
  }
}
