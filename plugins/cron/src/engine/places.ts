// How many runs are under way at once, and that a job never runs beside itself.

export class Places {
  readonly #most: () => number
  readonly #start: (job: string, run: string) => void
  /** Runs that wait, by job, oldest first. */
  readonly #waiting = new Map<string, string[]>()
  /** Jobs with runs that wait and none that is under way. */
  readonly #ready = new Set<string>()
  readonly #busy = new Set<string>()
  /** Jobs whose run holds no place while it waits for a person, or for its next attempt. */
  readonly #away = new Set<string>()
  readonly #tellAway: (() => void)[] = []
  #open = false

  constructor(most: () => number, start: (job: string, run: string) => void) {
    this.#most = most
    this.#start = start
  }

  /** From here on runs are started. */
  open(): void {
    this.#open = true
    this.fill()
  }

  close(): void {
    this.#open = false
  }

  isBusy(job: string): boolean {
    return this.#busy.has(job) || this.#waiting.has(job)
  }

  add(job: string, run: string): void {
    const waiting = this.#waiting.get(job)
    if (waiting) waiting.push(run)
    else this.#waiting.set(job, [run])
    if (!this.#busy.has(job)) this.#ready.add(job)
    this.fill()
  }

  /** The run of a job holds no place, or holds one again, even where there is none left. */
  setAway(job: string, away: boolean): void {
    if (!this.#busy.has(job)) return
    if (away) this.#away.add(job)
    else this.#away.delete(job)
    if (!away) return
    for (const tell of this.#tellAway.splice(0)) tell()
    this.fill()
  }

  isAway(job: string): boolean {
    return this.#away.has(job)
  }

  /** Resolves when a run gives up its place the next time. */
  oneAway(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellAway.push(resolve)
    })
  }

  end(job: string): void {
    this.#busy.delete(job)
    this.#away.delete(job)
    if (this.#waiting.has(job)) this.#ready.add(job)
    this.fill()
  }

  /** Starts what may start. */
  fill(): void {
    for (const job of this.#ready) {
      if (!this.#open || this.#busy.size - this.#away.size >= this.#most()) return
      this.#ready.delete(job)
      const waiting = this.#waiting.get(job) as string[]
      const run = waiting.shift() as string
      if (waiting.length === 0) this.#waiting.delete(job)
      this.#busy.add(job)
      this.#start(job, run)
    }
  }
}
