/** Steps of a decision. An ordinary command takes less than a hundred. */
const STEPS = 10_000
/** CPU time of this process in microseconds, for work that steps do not measure. */
const TIME_US = 120_000
const LOOK_EVERY = 100

/** Thrown when a decision would take too much work. */
export class BudgetExceeded extends Error {
  constructor(problem = 'the command takes too much work to be understood') {
    super(problem)
  }
}

/** Counts the work of one decision. */
export class Budget {
  readonly #began = process.cpuUsage()
  #left = STEPS
  #unlooked = 0

  /** Takes some steps. Throws {@link BudgetExceeded} when there are no more. */
  spend(steps = 1): void {
    this.#left -= steps
    this.#unlooked += steps
    if (this.#left < 0) throw new BudgetExceeded()
    if (this.#unlooked < LOOK_EVERY) return
    this.#unlooked = 0
    const { user, system } = process.cpuUsage(this.#began)
    if (user + system > TIME_US) throw new BudgetExceeded()
  }
}
