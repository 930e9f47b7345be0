// Places for turns and tasks: so many a session, so many in all. Who finds none waits in order; waiting is a state, never a drop.

interface Waiting {
  readonly session: string
  readonly admit: () => void
}

export class ConcurrencyLimiter {
  readonly #inSession: number
  readonly #inAll: number
  readonly #taken = new Map<string, number>()
  #all = 0
  #waiting: Waiting[] = []

  constructor({ inSession, inAll }: { readonly inSession: number; readonly inAll: number }) {
    this.#inSession = inSession
    this.#inAll = inAll
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  #free(session: string): boolean {
    return this.#all < this.#inAll && (this.#taken.get(session) ?? 0) < this.#inSession
  }

  /** Resolves when there is a place; rejects with the reason of the signal. */
  async acquire(session: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free(session)) return this.hold(session)
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        session,
        admit: () => {
          signal.removeEventListener('abort', aborted)
          resolve()
        },
      }
      const aborted = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', aborted, { once: true })
      this.#waiting.push(waiting)
    })
  }

  /** Takes a place whether or not there is one: a turn that has waited for a person goes on at once. */
  hold(session: string): void {
    this.#all++
    this.#taken.set(session, (this.#taken.get(session) ?? 0) + 1)
  }

  release(session: string): void {
    this.#all--
    const left = (this.#taken.get(session) ?? 1) - 1
    if (left > 0) this.#taken.set(session, left)
    else this.#taken.delete(session)
    for (const next of this.#waiting) {
      if (!this.#free(next.session)) continue
      this.#waiting = this.#waiting.filter((other) => other !== next)
      this.hold(next.session)
      next.admit()
      return
    }
  }
}
