import type { Clock } from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'

/** How long a busy model is waited for before people are notified. */
const DELAY_MS = 5 * SECOND_MS

/** Notifies people once that a wait goes on. */
export class WaitNotice {
  readonly #clock: Clock
  readonly #show: () => void
  #cancel: (() => void) | undefined

  constructor(clock: Clock, show: () => void) {
    this.#clock = clock
    this.#show = show
  }

  /** Notes that the wait goes on. The first call counts. */
  begin(): void {
    this.#cancel ??= this.#clock.setTimeout(this.#show, DELAY_MS)
  }

  /** Notes that the wait is over. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
