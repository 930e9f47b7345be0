/** Runs the work of each channel in order. Channels do not wait for each other. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(channel: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(channel) ?? Promise.resolve()
    const running = before.then(work, work)
    this.#last.set(channel, running)
    const end = (): void => {
      if (this.#last.get(channel) === running) this.#last.delete(channel)
    }
    running.then(end, end)
    return running
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
