import { uptime } from 'node:os'
import type { CommandRuns } from '@mynah/plugin-http-core/api'
import { MARK } from './run/leftovers.js'

interface Interval {
  readonly from: number
  readonly to: number
}

/** The most times that are kept. Beyond it the two oldest become one, with the time between them. */
const MAX_INTERVALS = 1000
/** Seconds by which the start of a process and the clock of the machine may differ. */
const SLACK = 0.1

/** Remembers when commands ran whose processes could outlive them: those outside of a sandbox. */
export class OpenRuns implements CommandRuns {
  readonly mark = MARK
  readonly #now: () => number
  #open = 0
  #since = 0
  #past: Interval[] = []

  /** @param now seconds since the start of the machine */
  constructor(now: () => number = uptime) {
    this.#now = now
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    if (this.#open === 0) this.#since = this.#now()
    this.#open += 1
    try {
      return await run()
    } finally {
      this.#open -= 1
      if (this.#open === 0) this.#add({ from: this.#since, to: this.#now() })
    }
  }

  covers(startedAt: number): boolean {
    return this.#open > 0 || this.#past.some(({ from, to }) => startedAt >= from - SLACK && startedAt <= to + SLACK)
  }

  #add(run: Interval): void {
    this.#past.push(run)
    if (this.#past.length <= MAX_INTERVALS) return
    const [first, second, ...rest] = this.#past as [Interval, Interval, ...Interval[]]
    this.#past = [{ from: first.from, to: second.to }, ...rest]
  }
}
