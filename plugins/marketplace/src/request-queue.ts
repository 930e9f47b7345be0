import { WireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'

const MAX_RUNNING = 4
const MAX_WAITING = 64
/** Maximum time in the queue; equals the time limit of a request. */
const QUEUE_TIMEOUT_MS = 10_000
const RETRY_AFTER_S = 10

const busy = (): WireError =>
  new WireError('not_ready', 'There are too many requests to the plugin registry at the moment', {
    retryAfter: RETRY_AFTER_S,
  })

/** Limits concurrent requests to the registry. Others wait in a queue of limited length and time. */
export class RequestQueue {
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves when the request may start. It must call {@link RequestQueue.leave} at its end.
   *
   * @throws WireError `not_ready` if the queue is full or the time is over; the reason of `signal` when it aborts
   */
  enter(signal: AbortSignal): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running++
      return Promise.resolve()
    }
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        const index = this.#waiting.indexOf(turn)
        if (index >= 0) this.#waiting.splice(index, 1)
        end()
        reject(reason as Error)
      }
      const abort = (): void => leave(signal.reason)
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', abort)
      }
      const turn = (): void => {
        end()
        resolve()
      }
      const cancel = this.#clock.setTimeout(() => leave(busy()), QUEUE_TIMEOUT_MS)
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.push(turn)
      if (signal.aborted) abort()
    })
  }

  /** Ends a request and starts the next one. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}
