import type { Clock } from '@mynah/kernel'
import { RingBuffer } from '@mynah/kernel/util'
import type { LogRow } from './record.js'
import type { LogStore } from './store.js'

const BATCH = 200
const DELAY_MS = 500
/** Delay after a failed write. */
const RETRY_MS = 2_000
/** Maximum lines that wait while the store is unavailable. The oldest are dropped first. */
const MAX_WAITING = 10_000

/** Collects lines and writes them in batches, so that logging is cheap for the caller. */
export class LogWriter {
  readonly #clock: Clock
  readonly #store: () => LogStore | undefined
  readonly #outcome: (error?: unknown) => void
  #waiting = new RingBuffer<LogRow>(MAX_WAITING)
  #retryAt = 0
  #timer: (() => void) | undefined
  #writing: Promise<void> | undefined

  /** @param outcome called after every write, with the error if it failed */
  constructor(clock: Clock, store: () => LogStore | undefined, outcome: (error?: unknown) => void) {
    this.#clock = clock
    this.#store = store
    this.#outcome = outcome
  }

  add(row: LogRow): void {
    this.#waiting.push(row)
    // A failing store may log lines itself, so a failed write is not retried with each line.
    if (this.#waiting.size >= BATCH) void this.#full()
    else this.#later(DELAY_MS)
  }

  async #full(): Promise<void> {
    while (this.#writing) await this.#writing
    if (this.#clock.now() >= this.#retryAt) await this.flush()
    else this.#later(DELAY_MS)
  }

  #later(ms: number): void {
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, ms)
  }

  /** Writes the waiting lines. Resolves when they are stored or the store is unavailable. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
    const store = this.#store()
    if (!store || this.#waiting.size === 0) return
    this.#writing = this.#write(store)
    await this.#writing
  }

  async #write(store: LogStore): Promise<void> {
    const rows = this.#waiting.toArray()
    this.#waiting.clear()
    let failure: unknown
    try {
      await store.append(rows)
    } catch (error) {
      failure = error
      const newer = this.#waiting.toArray()
      this.#waiting.clear()
      for (const row of [...rows, ...newer]) this.#waiting.push(row)
      this.#retryAt = this.#clock.now() + RETRY_MS
      this.#later(RETRY_MS)
    } finally {
      this.#writing = undefined
    }
    this.#outcome(failure)
  }
}
