interface Item {
  readonly id: string
  readonly at: number
}

/** Binary heap of due times by id. Each id has one time. */
export class DueQueue {
  readonly #heap: Item[] = []
  readonly #current = new Map<string, Item>()

  /** Sets the time of an id. `undefined` removes it. */
  set(id: string, at: number | undefined): void {
    if (at === undefined) {
      this.#current.delete(id)
      return
    }
    const item = { id, at }
    this.#current.set(id, item)
    this.#heap.push(item)
    this.#up(this.#heap.length - 1)
    // Outdated items are dropped when they reach the top. Too many of them below the top are removed together.
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#current.size) this.#sweep()
  }

  /** The earliest time. */
  get earliest(): number | undefined {
    return this.#top()?.at
  }

  /** Removes and returns the ids that are due at `now`, earliest first. */
  take(now: number): string[] {
    const due: string[] = []
    for (let top = this.#top(); top && top.at <= now; top = this.#top()) {
      this.#current.delete(top.id)
      due.push(top.id)
    }
    return due
  }

  #top(): Item | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (!top || this.#current.get(top.id) === top) return top
      const last = this.#heap.pop() as Item
      if (this.#heap.length === 0) continue
      this.#heap[0] = last
      this.#down(0)
    }
  }

  #sweep(): void {
    const kept = this.#heap.filter((item) => this.#current.get(item.id) === item).sort((a, b) => a.at - b.at)
    this.#heap.splice(0, this.#heap.length, ...kept)
  }

  #up(index: number): void {
    for (let at = index; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#swap(parent, at)) return
      at = parent
    }
  }

  #down(index: number): void {
    for (let at = index; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = (this.#heap[right]?.at ?? Infinity) < (this.#heap[left]?.at ?? Infinity) ? right : left
      if (child >= this.#heap.length || !this.#swap(at, child)) return
      at = child
    }
  }

  /** Swaps two items when the lower one is earlier. Returns whether it did. */
  #swap(above: number, below: number): boolean {
    const [a, b] = [this.#heap[above] as Item, this.#heap[below] as Item]
    if (a.at <= b.at) return false
    this.#heap[above] = b
    this.#heap[below] = a
    return true
  }
}
