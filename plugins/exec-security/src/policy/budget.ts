// The work that one decision may take: steps and time. What needs more is denied.

/** Steps of a decision; an ordinary command takes less than a hundred. */
const STEPS = 10_000
/** Milliseconds, for what a step does not measure. */
const TIME_MS = 120
const LOOK_EVERY = 100

/** Thrown when a decision would take too much work. */
export class BudgetExceeded extends Error {
  constructor() {
    super('the command takes too much work to be understood')
  }
}

/** Counts the work of one decision. */
export class Budget {
  readonly #until = performance.now() + TIME_MS
  #left = STEPS
  #unlooked = 0

  /** Takes some steps. Throws {@link BudgetExceeded} when there are no more. */
  spend(steps = 1): void {
    this.#left -= steps
    this.#unlooked += steps
    if (this.#left < 0) throw new BudgetExceeded()
    if (this.#unlooked < LOOK_EVERY) return
    this.#unlooked = 0
    if (performance.now() > this.#until) throw new BudgetExceeded()
  }
}
