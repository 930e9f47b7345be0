/** Runs jobs one at a time, in the order they were added. A job that fails does not stop the ones behind it. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve()

  /** Runs `job` when all earlier jobs have ended. Resolves or rejects as `job` does. */
  run<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#tail.then(job)
    // The caller receives the failure through `result`; the queue only needs to know that the job has ended.
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** The last job that was added, to be compared by identity. */
  get latest(): unknown {
    return this.#tail
  }

  /** Resolves when no job is left, including jobs that were added while waiting. */
  async idle(): Promise<void> {
    for (let seen; seen !== this.#tail;) {
      seen = this.#tail
      await seen
    }
  }
}
