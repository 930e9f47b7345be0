/** An item that knows its own index, so that it is found without hashing. */
export interface Indexed {
  /** Index in the set; -1 outside of one. */
  index: number
}

/** A set without an order. Adding and deleting take constant time and hash nothing: each message passes through it. */
export class UnorderedSet<T extends Indexed> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    item.index = this.#items.length
    this.#items.push(item)
  }

  /** Deletes an item and moves the last one to its index. */
  delete(item: T): void {
    const { index } = item
    if (this.#items[index] !== item) return
    const last = this.#items.pop() as T
    item.index = -1
    if (last === item) return
    this.#items[index] = last
    last.index = index
  }

  all(): readonly T[] {
    return this.#items
  }
}
