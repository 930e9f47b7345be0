// The deadline of an answer: one timer, which each part restarts, and the signal of the caller.
import type { Clock } from '@mynah/kernel'
import { ModelError } from '../api/errors.js'
import type { Candidate } from '../api/models.js'
import { createFailure } from '../errors/as-model-error.js'

export class ResponseDeadline {
  readonly #clock: Clock
  readonly #signal: AbortSignal | undefined
  readonly #give: (reason: unknown) => void
  readonly #onAbort = (): void => this.#end('aborted')
  #limit: number
  #last: number
  #renewed = false
  #cancel: (() => void) | undefined
  #over: 'timeout' | 'aborted' | undefined
  #reject: ((error: unknown) => void) | undefined
  /** Called once, when the deadline has passed or the caller has aborted. */
  onEnd: (() => void) | undefined

  constructor(clock: Clock, limit: number, signal: AbortSignal | undefined, give: (reason: unknown) => void) {
    this.#clock = clock
    this.#limit = limit
    this.#signal = signal
    this.#give = give
    this.#last = clock.now()
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (signal?.aborted) this.#end('aborted')
    else this.#arm(limit)
  }

  /** Sets the deadline to `limit` milliseconds from now. Costs a timestamp, as the timer moves itself. */
  renew(limit: number): void {
    this.#last = this.#clock.now()
    this.#renewed = true
    if (limit < this.#limit) {
      // The timer may be too late for a shorter limit.
      this.#cancel?.()
      this.#arm(limit)
    }
    this.#limit = limit
  }

  #arm(ms: number): void {
    this.#cancel = this.#clock.setTimeout(() => {
      const left = this.#last + this.#limit - this.#clock.now()
      if (left > 0) this.#arm(left)
      else this.#end('timeout')
    }, ms)
  }

  #end(why: 'timeout' | 'aborted'): void {
    if (this.#over) return
    this.#over = why
    const error = new ModelError(why, why === 'timeout' ? 'Nothing came in time' : 'The caller gave up')
    this.#give(error)
    this.#reject?.(error)
    this.onEnd?.()
  }

  /** Resolves as `promise`, or rejects when the deadline has passed. `late` gets a value that comes after that. */
  async within<T>(promise: Promise<T>, late: (value: T) => void): Promise<T> {
    const over = new Promise<never>((_resolve, reject) => (this.#reject = reject))
    if (this.#over) this.#reject?.(new ModelError(this.#over, 'It is over'))
    promise.then(
      (value) => this.#over && late(value),
      () => {
        // The race below reports it.
      },
    )
    try {
      return await Promise.race([promise, over])
    } finally {
      this.#reject = undefined
    }
  }

  throwIfOver(): void {
    if (this.#over) throw new ModelError(this.#over, 'It is over')
  }

  /** Returns the failure of `who` when the deadline has passed. */
  reasonFor(who: Candidate): ModelError | undefined {
    if (!this.#over) return undefined
    if (this.#over === 'aborted')
      return new ModelError('aborted', 'The caller gave up', { ...who, cause: this.#signal?.reason })
    return createFailure(
      'timeout',
      who,
      `nothing came for ${Math.round(this.#limit / 100) / 10} s${this.#renewed ? ' in the middle of the answer' : ''}`,
    )
  }

  stop(): void {
    this.#cancel?.()
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
