// Who may ask the registry now: a few at once, some more in line, nobody beyond and nobody for long.
import { WireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'

const AT_ONCE = 4
const IN_LINE = 64
/** Time in line, ms; as long as the registry has for an answer. */
const PATIENCE_MS = 10_000
const RETRY_AFTER_S = 10

const busy = (): WireError =>
  new WireError('not_ready', 'The plugin registry is asked too much at the moment', { retryAfter: RETRY_AFTER_S })

export class Queue {
  readonly #clock: Clock
  readonly #line: (() => void)[] = []
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Those who wait. */
  get waiting(): number {
    return this.#line.length
  }

  /**
   * Resolves when it is this one's turn, which ends with {@link Queue.leave}.
   *
   * @throws WireError `not_ready` where too many wait or it took too long; the reason of `signal` when that aborts.
   */
  enter(signal: AbortSignal): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running++
      return Promise.resolve()
    }
    if (this.#line.length >= IN_LINE) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        const place = this.#line.indexOf(turn)
        if (place >= 0) this.#line.splice(place, 1)
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
      const cancel = this.#clock.setTimeout(() => leave(busy()), PATIENCE_MS)
      signal.addEventListener('abort', abort, { once: true })
      this.#line.push(turn)
      if (signal.aborted) abort()
    })
  }

  /** Whose turn it was is done. */
  leave(): void {
    const next = this.#line.shift()
    if (next) next()
    else this.#running--
  }
}
