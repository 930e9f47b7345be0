// The one timer: for the earliest slot, and never so far ahead that a clock that jumped goes unseen.
import type { Clock } from '@mynah/kernel'

/** The longest that nobody looks at the clock while anything is to come, ms. */
export const LONGEST_MS = 15_000
/** The clock was set back where it is behind what it showed by more, ms. */
const BACK_MS = 1_000

interface Deps {
  readonly clock: Clock
  readonly earliest: () => number | undefined
  /** Resolves when what is due has been taken. */
  readonly due: (now: number) => Promise<void>
  /** The clock was set back; resolves when what is to come has been found anew. */
  readonly setBack: (now: number) => Promise<void>
}

export class Ticker {
  readonly #deps: Deps
  #cancel: (() => void) | undefined
  #seen = -Infinity
  #isTicking = false
  #last: Promise<void> | undefined
  #open = true

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Looks at the clock and at what is to come. */
  arm(): void {
    if (this.#isTicking || !this.#open) return
    this.#cancel?.()
    this.#cancel = undefined
    const earliest = this.#deps.earliest()
    if (earliest === undefined) return
    const now = this.#deps.clock.now()
    this.#cancel = this.#deps.clock.setTimeout(
      () => {
        this.#last = this.#tick()
      },
      Math.max(0, Math.min(earliest - now, LONGEST_MS)),
    )
  }

  /** Resolves when what is being taken has been. */
  async idle(): Promise<void> {
    await this.#last
  }

  async end(): Promise<void> {
    this.#open = false
    this.#cancel?.()
    await this.idle()
  }

  async #tick(): Promise<void> {
    this.#cancel = undefined
    this.#isTicking = true
    try {
      const now = this.#deps.clock.now()
      if (now < this.#seen - BACK_MS) await this.#deps.setBack(now)
      this.#seen = now
      if ((this.#deps.earliest() ?? Infinity) <= now) await this.#deps.due(now)
    } finally {
      this.#isTicking = false
      this.arm()
    }
  }
}
