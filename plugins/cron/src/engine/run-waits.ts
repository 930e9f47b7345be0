import { RETRY_DELAYS_MS } from './failure.js'
import { onAnyAbort } from './on-any-abort.js'
import type { EngineOptions } from './options.js'
import type { RunPool } from './run-pool.js'
import { RunSuspended } from './run-stopped.js'
import { sleep } from './sleep.js'

/** The parts that the waits of all runs share. */
export interface WaitParts {
  readonly options: EngineOptions
  readonly pool: RunPool
  /** Aborts when runs that wait are left to the next start. */
  readonly suspended: AbortSignal
}

/** The waits of one run. A run that waits gives up its place, and a host that stops meanwhile suspends it. */
export class RunWaits {
  readonly #parts: WaitParts
  readonly #job: string
  readonly #stop: AbortSignal

  /** @param stop aborts when the run is stopped */
  constructor(parts: WaitParts, job: string, stop: AbortSignal) {
    this.#parts = parts
    this.#job = job
    this.#stop = stop
  }

  /**
   * Waits for work.
   *
   * @param mayStop whether a stop of the run aborts the signal of the work
   * @throws RunSuspended, and what the work throws when its signal aborts
   */
  async whileBlocked<T>(work: (signal: AbortSignal) => T | Promise<T>, mayStop = true): Promise<T> {
    const control = new AbortController()
    const stopListening = onAnyAbort(this.#signals(mayStop), (reason) => control.abort(reason))
    try {
      const result = work(control.signal)
      return result instanceof Promise ? await this.#blocked(result) : result
    } finally {
      stopListening()
    }
  }

  /**
   * Waits until a time.
   *
   * @param mayStop whether a stop of the run ends the wait
   * @throws RunSuspended, or the reason of the stop
   */
  async until(time: number | null, mayStop: boolean): Promise<void> {
    const { clock } = this.#parts.options
    const remaining = (time ?? 0) - clock.now()
    if (time === null || remaining <= 0) return
    // The bound keeps a clock that was set back from extending the delay.
    const delay = Math.min(remaining, RETRY_DELAYS_MS.at(-1) ?? remaining)
    await this.#blocked(sleep(clock, delay, this.#signals(mayStop)))
  }

  /** Takes a place in another kind of work. */
  enter(place: string): Promise<void> {
    const { pool, suspended } = this.#parts
    return this.unlessSuspended(pool.move(this.#job, place, suspended))
  }

  /** @throws RunSuspended when the work failed because the host stops */
  async unlessSuspended<T>(work: Promise<T>): Promise<T> {
    const { options, suspended } = this.#parts
    try {
      return await work
    } catch (error) {
      if (options.signal.aborted || (suspended.aborted && error === suspended.reason)) throw new RunSuspended()
      throw error
    }
  }

  #signals(mayStop: boolean): readonly AbortSignal[] {
    return mayStop ? [this.#parts.suspended, this.#stop] : [this.#parts.suspended]
  }

  async #blocked<T>(work: Promise<T>): Promise<T> {
    const { pool, suspended } = this.#parts
    pool.setBlocked(this.#job, true)
    try {
      return await work
    } catch (error) {
      if (suspended.aborted) throw new RunSuspended()
      throw error
    } finally {
      pool.setBlocked(this.#job, false)
    }
  }
}
