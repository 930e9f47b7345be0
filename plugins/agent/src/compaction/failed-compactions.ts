import type { Clock } from '@mynah/kernel'
import { LruMap, MINUTE_MS } from '@mynah/kernel/util'

/** Pauses after the first, second and every further failure in a row. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const
const MAX_SESSIONS = 1_000

interface Failed {
  readonly failures: number
  /** Milliseconds since the epoch. */
  readonly pausedUntil: number
  /** Whether the work before the compaction was done. */
  readonly isPrepared: boolean
}
const NONE: Failed = { failures: 0, pausedUntil: 0, isPrepared: false }

/** The sessions whose last compaction has failed. A summary that fails at every message only costs. */
export class FailedCompactions {
  readonly #clock: Clock
  readonly #sessions = new LruMap<string, Failed>(MAX_SESSIONS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isPaused(session: string): boolean {
    return this.#of(session).pausedUntil > this.#clock.now()
  }

  /** Whether the work before a compaction was done for one that failed later. */
  wasPrepared(session: string): boolean {
    return this.#of(session).isPrepared
  }

  notePrepared(session: string): void {
    this.#sessions.set(session, { ...this.#of(session), isPrepared: true })
  }

  /** Starts the pause after a failure. */
  note(session: string): void {
    const { failures, ...rest } = this.#of(session)
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] as number
    this.#sessions.set(session, { ...rest, failures: failures + 1, pausedUntil: this.#clock.now() + pause })
  }

  /** Notes a success. */
  clear(session: string): void {
    this.#sessions.delete(session)
  }

  #of(session: string): Failed {
    return this.#sessions.get(session) ?? NONE
  }
}
