/** The rows that this process works on. Other open rows were left behind by a stop. */
export class RowsInProgress {
  readonly #rows = new Set<string>()
  readonly #watches = new Set<Set<string>>()

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  add(id: string): void {
    this.#rows.add(id)
    for (const seen of this.#watches) seen.add(id)
  }

  delete(id: string): void {
    this.#rows.delete(id)
  }

  /** Runs a read. Returns its result with all rows that were in progress at any moment of it. */
  async during<T>(read: () => Promise<T>): Promise<{ readonly result: T; readonly seen: ReadonlySet<string> }> {
    const seen = new Set(this.#rows)
    this.#watches.add(seen)
    try {
      return { result: await read(), seen }
    } finally {
      this.#watches.delete(seen)
    }
  }
}
