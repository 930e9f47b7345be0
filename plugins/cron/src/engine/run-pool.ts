import { onAnyAbort } from './on-any-abort.js'

/** A run that waits for its job or for a place. */
interface QueuedRun {
  readonly run: string
  readonly place: string
}

interface ActiveRun {
  place: string
  /** Waits for a person, a retry or a place, and therefore takes none. */
  isBlocked: boolean
}

/**
 * Bounds how many runs are active at once in each kind of work, and keeps the runs of one job from overlapping. Every
 * kind has places of its own, so that runs that hang hold up no run of another kind.
 */
export class RunPool {
  readonly #limit: () => number
  readonly #start: (job: string, run: string) => void
  /** Queued runs by job, oldest first. */
  readonly #queued = new Map<string, QueuedRun[]>()
  readonly #active = new Map<string, ActiveRun>()
  /** By kind of work, the jobs whose next run may start, oldest first. */
  readonly #ready = new Map<string, Set<string>>()
  /** By kind of work, active runs that wait to go on in it, with what lets them. */
  readonly #moving = new Map<string, Map<string, () => void>>()
  /** Places taken, by kind of work. */
  readonly #taken = new Map<string, number>()
  readonly #blockedListeners: (() => void)[] = []
  #isOpen = false

  /**
   * @param limit returns the places of each kind of work
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

  /** @param place the kind of work that the run begins with */
  add(job: string, run: string, place: string): void {
    const queued = this.#queued.get(job)
    if (queued) queued.push({ run, place })
    else this.#queued.set(job, [{ run, place }])
    this.#makeReady(job)
    this.#schedule(place)
  }

  /** Removes the queued runs of a job, and returns their ids. */
  removeQueued(job: string): string[] {
    const queued = this.#queued.get(job) ?? []
    this.#queued.delete(job)
    for (const ready of this.#ready.values()) ready.delete(job)
    return queued.map(({ run }) => run)
  }

  /** Marks the active run of a job as blocked or not. One that resumes counts again even when the places are taken. */
  setBlocked(job: string, isBlocked: boolean): void {
    const active = this.#active.get(job)
    if (!active || active.isBlocked === isBlocked) return
    active.isBlocked = isBlocked
    this.#count(active.place, isBlocked ? -1 : 1)
    if (!isBlocked) return
    for (const notify of this.#blockedListeners.splice(0)) notify()
    this.#schedule(active.place)
  }

  isBlocked(job: string): boolean {
    return this.#active.get(job)?.isBlocked === true
  }

  /** Resolves when a run becomes blocked. */
  nextBlocked(): Promise<void> {
    return new Promise((resolve) => {
      this.#blockedListeners.push(resolve)
    })
  }

  /**
   * Gives up the place of an active run, and resolves when it has one in another kind of work. Rejects with the reason
   * of `signal`.
   */
  async move(job: string, place: string, signal: AbortSignal): Promise<void> {
    const active = this.#active.get(job)
    if (!active || active.place === place) return
    this.setBlocked(job, true)
    active.place = place
    const waiting = this.#moving.get(place) ?? new Map<string, () => void>()
    this.#moving.set(place, waiting)
    let stopListening = (): void => {}
    try {
      await new Promise<void>((resolve, reject) => {
        stopListening = onAnyAbort([signal], reject)
        waiting.set(job, resolve)
        this.#schedule(place)
      })
    } finally {
      stopListening()
      waiting.delete(job)
    }
  }

  /** Reports that the active run of a job has ended. */
  end(job: string): void {
    const active = this.#active.get(job)
    this.#active.delete(job)
    if (this.#queued.has(job)) this.#makeReady(job)
    if (active && !active.isBlocked) this.#count(active.place, -1)
    this.schedule()
  }

  /** Starts ready runs up to the limits. */
  schedule(): void {
    for (const place of new Set([...this.#moving.keys(), ...this.#ready.keys()])) this.#schedule(place)
  }

  #schedule(place: string): void {
    this.#resumeMoving(place)
    const ready = this.#ready.get(place)
    for (const job of ready ?? []) {
      if (!this.#isOpen || !this.#hasRoom(place)) return
      ready?.delete(job)
      this.#startNext(job, place)
    }
    if (ready?.size === 0) this.#ready.delete(place)
  }

  /** Active runs go on before queued ones start. */
  #resumeMoving(place: string): void {
    const moving = this.#moving.get(place)
    for (const [job, resume] of moving ?? []) {
      if (!this.#hasRoom(place)) return
      moving?.delete(job)
      this.setBlocked(job, false)
      resume()
    }
    if (moving?.size === 0) this.#moving.delete(place)
  }

  #startNext(job: string, place: string): void {
    const queued = this.#queued.get(job)
    const next = queued?.shift()
    if (queued?.length === 0) this.#queued.delete(job)
    if (!next) return
    this.#active.set(job, { place, isBlocked: false })
    this.#count(place, 1)
    this.#start(job, next.run)
  }

  #makeReady(job: string): void {
    const next = this.#queued.get(job)?.[0]
    if (!next || this.#active.has(job)) return
    const ready = this.#ready.get(next.place)
    if (ready) ready.add(job)
    else this.#ready.set(next.place, new Set([job]))
  }

  #hasRoom(place: string): boolean {
    return (this.#taken.get(place) ?? 0) < this.#limit()
  }

  #count(place: string, by: 1 | -1): void {
    const taken = (this.#taken.get(place) ?? 0) + by
    if (taken > 0) this.#taken.set(place, taken)
    else this.#taken.delete(place)
  }
}
