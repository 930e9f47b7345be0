// Collects lines and writes them in batches, so that a line costs its caller nothing.
import type { Clock } from '@mynah/kernel'
import type { LogRow } from './record.js'
import type { LogStore } from './store.js'

const BATCH = 200
const DELAY_MS = 500
/** Pause after a failed write. */
const RETRY_MS = 2_000
/** Lines that wait at most while the store is away; the oldest are forgotten first. */
const WAITING = 10_000

export class LogWriter {
  readonly #clock: Clock
  readonly #store: () => LogStore | undefined
  readonly #outcome: (error?: unknown) => void
  #waiting: LogRow[] = []
  #retryAt = 0
  #timer: (() => void) | undefined
  #writing: Promise<void> | undefined

  /** `outcome` hears of every write, with the error where it failed. */
  constructor(clock: Clock, store: () => LogStore | undefined, outcome: (error?: unknown) => void) {
    this.#clock = clock
    this.#store = store
    this.#outcome = outcome
  }

  add(row: LogRow): void {
    this.#waiting.push(row)
    if (this.#waiting.length > WAITING) this.#waiting.shift()
    // A store that fails may itself write lines about it, so a failed write is not tried again with each line.
    if (this.#waiting.length >= BATCH) void this.#full()
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

  /** Writes what waits; resolves when it is stored, or when the store is away. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
    const store = this.#store()
    if (!store || this.#waiting.length === 0) return
    this.#writing = this.#write(store)
    await this.#writing
  }

  async #write(store: LogStore): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    let failure: unknown
    try {
      await store.append(rows)
    } catch (error) {
      failure = error
      this.#waiting = [...rows, ...this.#waiting].slice(-WAITING)
      this.#retryAt = this.#clock.now() + RETRY_MS
      this.#later(RETRY_MS)
    } finally {
      this.#writing = undefined
    }
    this.#outcome(failure)
  }
}
