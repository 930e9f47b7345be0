import type { Clock } from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'

/** The longest wait of a turn, however many messages come, in milliseconds. */
const LONGEST_MS = 6 * SECOND_MS

/** The time before a turn in which further messages of its sender join it. */
export class CollectWindow {
  readonly #clock: Clock
  /** Milliseconds since the epoch. */
  readonly #latest: number
  readonly #ended: Promise<void>
  #resolve!: () => void
  #cancel: (() => void) | undefined
  #isOpen = true

  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock
    this.#latest = clock.now() + LONGEST_MS
    this.#ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.extend(waitMs)
  }

  /** Waits for so long from now on. */
  extend(waitMs: number): void {
    this.#cancel?.()
    const left = Math.min(waitMs, this.#latest - this.#clock.now())
    if (left <= 0) this.end()
    else this.#cancel = this.#clock.setTimeout(() => this.end(), left)
  }

  /** Whether the time is not over. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  end(): void {
    this.#isOpen = false
    this.#cancel?.()
    this.#cancel = undefined
    this.#resolve()
  }

  /** Resolves when the time is over. Rejects with the reason of the signal when it aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const end = (): void => this.end()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    await this.#ended
    signal.removeEventListener('abort', end)
    signal.throwIfAborted()
  }
}
