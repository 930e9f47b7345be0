// Things in progress: added and taken out without hashing, since every message comes by here.

export interface Placed {
  /** Its place in the list; -1 outside of it. */ place: number
}

export class Active<T extends Placed> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    item.place = this.#items.length
    this.#items.push(item)
  }

  /** Takes an item out; the last one takes its place. */
  delete(item: T): void {
    const { place } = item
    if (this.#items[place] !== item) return
    const last = this.#items.pop() as T
    item.place = -1
    if (last === item) return
    this.#items[place] = last
    last.place = place
  }

  all(): readonly T[] {
    return this.#items
  }
}
