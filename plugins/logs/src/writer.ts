// Collects lines and writes them in batches, so that a line costs its caller nothing.
import type { Clock } from '@mynah/kernel'
import type { LogRow } from './record.js'
import type { LogStore } from './store.js'

const BATCH = 200
const DELAY_MS = 500
/** Lines that wait at most while the store is away; the oldest are forgotten first. */
const WAITING = 10_000

export class LogWriter {
  readonly #clock: Clock
  readonly #store: () => LogStore | undefined
  readonly #failed: (error: unknown, lost: number) => void
  #waiting: LogRow[] = []
  #lost = 0
  #timer: (() => void) | undefined
  #writing: Promise<void> | undefined

  constructor(clock: Clock, store: () => LogStore | undefined, failed: (error: unknown, lost: number) => void) {
    this.#clock = clock
    this.#store = store
    this.#failed = failed
  }

  add(row: LogRow): void {
    this.#waiting.push(row)
    if (this.#waiting.length > WAITING) {
      this.#waiting.shift()
      this.#lost++
    }
    if (this.#waiting.length >= BATCH) void this.flush()
    else this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, DELAY_MS)
  }

  /** Writes what waits; resolves when it is stored, or when the store is away. */
  async flush(): Promise<void> {
    if (this.#writing) await this.#writing
    if (this.#waiting.length === 0) return
    const store = this.#store()
    if (!store) return
    const rows = this.#waiting
    this.#waiting = []
    this.#writing = store.append(rows).catch((error: unknown) => {
      // Kept for the next attempt: the store comes back by itself.
      this.#waiting = [...rows, ...this.#waiting].slice(-WAITING)
      this.#failed(error, this.#lost)
    })
    await this.#writing
    this.#writing = undefined
  }
}
