// Counts timers that were started and are neither over nor cleared, also those that do not keep the process alive.
import { createHook } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const SETTLE_MS = 1_000
const LOOK_MS = 20
const FRAMES = 50

/** Watches timers from its creation on. */
export class TimerWatch {
  readonly #live = new Map<number, string>()

  constructor() {
    Error.stackTraceLimit = FRAMES
    createHook({
      init: (id, type) => {
        if (type === 'Timeout') this.#live.set(id, new Error('started here').stack ?? '')
      },
      destroy: (id) => void this.#live.delete(id),
    }).enable()
  }

  /** Forgets all timers that run now. */
  clear(): void {
    this.#live.clear()
  }

  /** Returns how many timers are left, after short ones had time to end. `folder` counts only those of its code. */
  async left(folder?: string): Promise<number> {
    const before = new Set(this.#live.keys())
    const count = (): number =>
      Array.from(this.#live).filter(([id, stack]) => before.has(id) && (folder === undefined || stack.includes(folder)))
        .length
    for (let waited = 0; count() > 0 && waited < SETTLE_MS; waited += LOOK_MS) await wait(LOOK_MS)
    return count()
  }
}
