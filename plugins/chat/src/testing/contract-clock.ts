import { systemClock, type Clock } from '@mynah/kernel'

interface Timer {
  readonly due: number
  readonly fire: () => void
}

/** The real clock, which can be moved forward: timers that are due then fire at once, in order. */
export class ContractClock implements Clock {
  #ahead = 0
  readonly #timers = new Set<Timer>()
  /** How many times as fast timers are. */
  speed = 1

  now(): number {
    return systemClock.now() + this.#ahead
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const fire = (): void => {
      if (!this.#timers.delete(timer)) return
      cancel()
      callback()
    }
    const timer: Timer = { due: this.now() + ms, fire }
    this.#timers.add(timer)
    const cancel = systemClock.setTimeout(fire, ms / this.speed)
    return () => {
      this.#timers.delete(timer)
      cancel()
    }
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
