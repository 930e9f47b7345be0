import type { Clock } from '@mynah/kernel'
import type { ModelError } from '@mynah/plugin-ai/api'
import { SECOND_MS } from '@mynah/kernel/util'

/** How long a model is waited for before people are notified. */
const DELAY_MS = 5 * SECOND_MS

/** Notifies people once that a wait goes on. */
export class WaitNotice {
  readonly #clock: Clock
  readonly #show: (reason: ModelError | undefined) => void
  #reason: ModelError | undefined
  #cancel: (() => void) | undefined

  /** @param show called with the failure that the model is waited for after, the newest of them */
  constructor(clock: Clock, show: (reason: ModelError | undefined) => void) {
    this.#clock = clock
    this.#show = show
  }

  /** Notes that the wait goes on. The first call counts. */
  begin(reason: ModelError | undefined): void {
    this.#reason = reason
    this.#cancel ??= this.#clock.setTimeout(() => this.#show(this.#reason), DELAY_MS)
  }

  /** Notes that the wait is over. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
