// Keeps what is pushed, and lets a test wait until there is enough.

export class Collector<T> {
  readonly items: T[] = []
  readonly #waiting = new Set<() => void>()

  readonly push = (item: T): void => {
    this.items.push(item)
    for (const check of [...this.#waiting]) check()
  }

  /** Resolves once an item fits, at once if one is there. */
  async until(fits: (item: T) => boolean): Promise<T> {
    for (;;) {
      const found = this.items.find(fits)
      if (found !== undefined) return found
      await this.#more()
    }
  }

  /** Resolves once there are so many. */
  async count(n: number): Promise<readonly T[]> {
    while (this.items.length < n) await this.#more()
    return this.items
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
    })
  }
}

/** Returns the error with which a promise rejects. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('The promise was not rejected')
}
