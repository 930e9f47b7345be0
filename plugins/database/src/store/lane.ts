// A lane: jobs run one after the other, in the order they came.

export class Lane {
  #tail: Promise<unknown> = Promise.resolve()

  /** Runs `job` when all earlier ones have ended, however they ended. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(job)
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** The job that came last, compared by identity. */
  get latest(): unknown {
    return this.#tail
  }

  /** Resolves when all jobs so far, and those they added, have ended. */
  async idle(): Promise<void> {
    for (let seen; seen !== this.#tail;) {
      seen = this.#tail
      await seen
    }
  }
}
