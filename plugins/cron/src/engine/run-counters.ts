import type { EndState, StoredRun } from '../store/types.js'

const NONE: Readonly<Record<EndState, number>> = { ok: 0, error: 0, undelivered: 0, skipped: 0, interrupted: 0 }

/** Counts the runs that have ended since the start, by how they ended. */
export class RunCounters {
  readonly #ended: Record<EndState, number> = { ...NONE }

  /** Counts a run whose end was stored. */
  count({ state }: Pick<StoredRun, 'state'>): void {
    if (state in NONE) this.#ended[state as EndState]++
  }

  get ended(): Readonly<Record<EndState, number>> {
    return this.#ended
  }
}
