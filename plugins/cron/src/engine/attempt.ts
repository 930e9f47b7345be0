import type { Clock } from '@mynah/kernel'
import { onAnyAbort } from './on-any-abort.js'

/** Thrown when an attempt took longer than its limit. */
export class RunTimeout extends Error {
  override readonly name = 'RunTimeout'
  /** The limit in milliseconds. */
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`it did not end within ${durationText(limitMs)}`)
    this.limitMs = limitMs
  }
}

/**
 * One attempt to run an action: a signal that aborts with the run, and when the attempt has worked for longer than its
 * limit. A wait for a person does not count as work: the limit starts again after it.
 */
export class Attempt {
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #control = new AbortController()
  readonly #stopListening: () => void
  #cancelLimit: (() => void) | undefined
  #isWaiting = true

  /** @param limitMs longest work in milliseconds; 0 is no limit */
  constructor(clock: Clock, limitMs: number, parents: readonly AbortSignal[]) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.signal = this.#control.signal
    this.#stopListening = onAnyAbort(parents, (reason) => this.#control.abort(reason))
  }

  /**
   * Runs the work. Work that ignores the signal is not waited for: the result is that of the signal.
   *
   * @throws the reason of the signal, {@link RunTimeout} after the limit
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      const aborted = new Promise<never>((_resolve, reject) => {
        this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
      })
      // Until the race below, nothing else handles it.
      aborted.catch(() => {})
      this.signal.throwIfAborted()
      this.setWaiting(false)
      return await Promise.race([work(), aborted])
    } finally {
      this.setWaiting(true)
      this.#stopListening()
    }
  }

  /** Suspends the limit while the attempt waits for a person. */
  setWaiting(isWaiting: boolean): void {
    if (isWaiting === this.#isWaiting) return
    this.#isWaiting = isWaiting
    this.#cancelLimit?.()
    this.#cancelLimit = undefined
    if (isWaiting || this.#limitMs === 0) return
    this.#cancelLimit = this.#clock.setTimeout(() => this.#control.abort(new RunTimeout(this.#limitMs)), this.#limitMs)
  }

  abort(reason: Error): void {
    this.#control.abort(reason)
  }
}

/** Returns a duration for people, such as `90 s` and `1 h`. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
