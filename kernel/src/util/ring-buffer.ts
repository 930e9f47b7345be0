/** A list with a bound: adding to a full one removes the oldest item. Adding and removing take constant time. */
export class RingBuffer<T> {
  readonly #capacity: number
  #items: (T | undefined)[] = []
  #start = 0
  #size = 0

  /** @param capacity the number of items kept, at least 1 */
  constructor(capacity: number) {
    if (!(capacity >= 1)) throw new RangeError(`capacity must be at least 1, got ${capacity}`)
    this.#capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  get capacity(): number {
    return this.#capacity
  }

  /** Adds an item. Returns the item that was removed to make room. */
  push(item: T): T | undefined {
    if (this.#size < this.#capacity) {
      this.#items[(this.#start + this.#size++) % this.#capacity] = item
      return undefined
    }
    const removed = this.#items[this.#start]
    this.#items[this.#start] = item
    this.#start = (this.#start + 1) % this.#capacity
    return removed
  }

  /** Removes and returns the oldest item. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const item = this.#items[this.#start]
    this.#items[this.#start] = undefined
    this.#start = (this.#start + 1) % this.#capacity
    this.#size--
    return item
  }

  /** Returns the item at an index, 0 being the oldest; a negative index counts from the newest, -1. */
  at(index: number): T | undefined {
    const offset = index < 0 ? this.#size + index : index
    return offset < 0 || offset >= this.#size ? undefined : this.#items[(this.#start + offset) % this.#capacity]
  }

  clear(): void {
    this.#items = []
    this.#start = 0
    this.#size = 0
  }

  /** Items from the oldest to the newest. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let index = 0; index < this.#size; index++) yield this.#items[(this.#start + index) % this.#capacity] as T
  }

  toArray(): T[] {
    return Array.from(this)
  }
}
