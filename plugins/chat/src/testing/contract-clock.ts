import { systemClock, type Clock } from '@mynah/kernel'

interface Timer {
  readonly due: number
  readonly fire: () => void
  /** Cancels the real timer behind it. */
  cancel: () => void
}

/** The real clock, which can be moved forward, when due timers fire at once and in order, and can be stopped. */
export class ContractClock implements Clock {
  #ahead = 0
  #stoppedAt: number | undefined
  readonly #timers = new Set<Timer>()
  /** How many times as fast timers are. */
  speed = 1

  now(): number {
    return (this.#stoppedAt ?? systemClock.now()) + this.#ahead
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer: Timer = {
      due: this.now() + ms,
      cancel: () => {},
      fire: () => {
        if (!this.#timers.delete(timer)) return
        timer.cancel()
        callback()
      },
    }
    this.#timers.add(timer)
    if (this.#stoppedAt === undefined) this.#arm(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  #arm(timer: Timer): void {
    timer.cancel = systemClock.setTimeout(timer.fire, Math.max(0, timer.due - this.now()) / this.speed)
  }

  /** Stops the clock: until it goes on, timers fire only as {@link ContractClock.pass} lets time pass. */
  stop(): void {
    if (this.#stoppedAt !== undefined) return
    this.#stoppedAt = systemClock.now()
    for (const timer of this.#timers) timer.cancel()
  }

  /** Lets a stopped clock go on. */
  resume(): void {
    if (this.#stoppedAt === undefined) return
    this.#ahead -= systemClock.now() - this.#stoppedAt
    this.#stoppedAt = undefined
    for (const timer of this.#timers) this.#arm(timer)
  }

  setInterval(callback: () => void, ms: number): () => void {
    let cancel = (): void => {}
    const arm = (): void => {
      cancel = this.setTimeout(() => {
        arm()
        callback()
      }, ms)
    }
    arm()
    return () => cancel()
  }

  /** Moves the reading of the clock without firing timers: the time counts as passed. */
  forward(ms: number): void {
    this.#ahead += ms
  }

  /**
   * Lets time pass, in steps of a second. After each, due timers fire and the process does what is ready, so that a
   * platform can answer in between.
   */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      this.#ahead += Math.min(1_000, left)
      const now = this.now()
      const due = [...this.#timers].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due)
      for (const timer of due) timer.fire()
      // Several turns of the event loop: an answer of a local server needs more than one.
      for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
}
