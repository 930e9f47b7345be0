/** Bounds how many runs are active at once, and keeps the runs of one job from overlapping. */
export class RunPool {
  readonly #limit: () => number
  readonly #start: (job: string, run: string) => void
  /** Queued runs by job, oldest first. */
  readonly #queued = new Map<string, string[]>()
  /** Jobs with queued runs and no active run. */
  readonly #ready = new Set<string>()
  readonly #active = new Set<string>()
  /** Jobs whose active run waits for a person or a retry, and therefore does not count towards the limit. */
  readonly #blocked = new Set<string>()
  readonly #blockedListeners: (() => void)[] = []
  #isOpen = false

  /**
   * @param limit returns the most runs that may be active at once
   * @param start starts a run. The caller reports its end with {@link RunPool.end}.
   */
  constructor(limit: () => number, start: (job: string, run: string) => void) {
    this.#limit = limit
    this.#start = start
  }

  /** Allows runs to start. */
  open(): void {
    this.#isOpen = true
    this.schedule()
  }

  /** Stops starting runs. Active runs continue. */
  close(): void {
    this.#isOpen = false
  }

  /** Returns whether the job has an active or a queued run. */
  isBusy(job: string): boolean {
    return this.#active.has(job) || this.#queued.has(job)
  }

  add(job: string, run: string): void {
    const queued = this.#queued.get(job)
    if (queued) queued.push(run)
    else this.#queued.set(job, [run])
    if (!this.#active.has(job)) this.#ready.add(job)
    this.schedule()
  }

  /** Marks the active run of a job as blocked or not. A run that resumes counts again even when the pool is full. */
  setBlocked(job: string, isBlocked: boolean): void {
    if (!this.#active.has(job)) return
    if (!isBlocked) {
      this.#blocked.delete(job)
      return
    }
    this.#blocked.add(job)
    for (const notify of this.#blockedListeners.splice(0)) notify()
    this.schedule()
  }

  isBlocked(job: string): boolean {
    return this.#blocked.has(job)
  }

  /** Resolves when a run becomes blocked. */
  nextBlocked(): Promise<void> {
    return new Promise((resolve) => {
      this.#blockedListeners.push(resolve)
    })
  }

  /** Reports that the active run of a job has ended. */
  end(job: string): void {
    this.#active.delete(job)
    this.#blocked.delete(job)
    if (this.#queued.has(job)) this.#ready.add(job)
    this.schedule()
  }

  /** Starts ready runs up to the limit. */
  schedule(): void {
    for (const job of this.#ready) {
      if (!this.#isOpen || this.#active.size - this.#blocked.size >= this.#limit()) return
      this.#ready.delete(job)
      const queued = this.#queued.get(job)
      const run = queued?.shift()
      if (queued?.length === 0) this.#queued.delete(job)
      if (run === undefined) continue
      this.#active.add(job)
      this.#start(job, run)
    }
  }
}
