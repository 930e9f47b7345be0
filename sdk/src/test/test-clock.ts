// A clock that only tests advance.
import type { Clock } from '../clock.js'

interface Timer {
  readonly at: number
  readonly callback: () => void
}

export class TestClock implements Clock {
  #now = 1_767_225_600_000
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Moves time on and fires what is due, in order. */
  advance(ms: number): void {
    this.#now += ms
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)) {
      if (this.#timers.delete(timer)) timer.callback()
    }
  }
}
