/** Counts work in progress and lets callers wait until none is left. */
export class WaitGroup {
  #count = 0
  #waiting: (() => void)[] = []

  /** Registers one more piece of work; each needs its own {@link WaitGroup.done}. */
  add(): void {
    this.#count++
  }

  done(): void {
    if (--this.#count > 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** Resolves when no work is in progress. */
  async wait(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
