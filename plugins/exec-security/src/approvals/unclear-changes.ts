import type { Clock } from '@mynah/kernel'
import type { Approval } from './approval.js'
import type { ApprovalStore } from './approval-store.js'

/** Shortest and longest time until the store is asked again, ms. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 15_000

/** Finds out whether changes that failed were made: a store that loses its answer may have made them. */
export class UnclearChanges {
  readonly #clock: Clock
  readonly #store: Pick<ApprovalStore, 'get'>
  readonly #made: (approval: Approval) => void

  /** @param made called with the request as it is stored now, where it was changed */
  constructor(clock: Clock, store: Pick<ApprovalStore, 'get'>, made: (approval: Approval) => void) {
    this.#clock = clock
    this.#store = store
    this.#made = made
  }

  /** Asks the store for the state of a request, until it answers or the plugin stops. */
  add(before: Approval, pauseMs = MIN_PAUSE_MS): void {
    this.#clock.setTimeout(() => void this.#look(before, pauseMs), pauseMs)
  }

  async #look(before: Approval, pauseMs: number): Promise<void> {
    try {
      const approval = await this.#store.get(before.id)
      if (approval && approval.status !== before.status) this.#made(approval)
    } catch {
      this.add(before, Math.min(2 * pauseMs, MAX_PAUSE_MS))
    }
  }
}
