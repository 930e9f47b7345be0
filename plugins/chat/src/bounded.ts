// A list that forgets its oldest items.

export class Bounded<T> {
  readonly #limit: number
  readonly #ring: T[] = []
  #next = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: T): void {
    this.#ring[this.#next] = item
    this.#next = (this.#next + 1) % this.#limit
  }

  *newestFirst(): Generator<T> {
    const { length } = this.#ring
    for (let back = 1; back <= length; back++) yield this.#ring[(this.#next - back + this.#limit) % this.#limit] as T
  }

  find(matches: (item: T) => boolean): T | undefined {
    for (const item of this.newestFirst()) if (matches(item)) return item
    return undefined
  }
}
