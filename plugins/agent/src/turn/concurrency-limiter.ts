interface Waiting {
  readonly session: string
  readonly admit: () => void
}

/** Limits how many turns run at the same time, per session and in all. Others wait in the order of their arrival. */
export class ConcurrencyLimiter {
  readonly #inSession: number
  readonly #inAll: number
  readonly #held = new Map<string, number>()
  #heldInAll = 0
  #waiting: Waiting[] = []

  constructor({ inSession, inAll }: { readonly inSession: number; readonly inAll: number }) {
    this.#inSession = inSession
    this.#inAll = inAll
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  #isFree(session: string): boolean {
    return this.#heldInAll < this.#inAll && (this.#held.get(session) ?? 0) < this.#inSession
  }

  /**
   * Waits for a slot and takes it.
   *
   * @throws the reason of the signal when that aborts first
   */
  async acquire(session: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#isFree(session)) return this.hold(session)
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        session,
        admit: () => {
          signal.removeEventListener('abort', abort)
          resolve()
        },
      }
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.push(waiting)
    })
  }

  /** Takes a slot even if none is free: a turn that has waited for a person continues at once. */
  hold(session: string): void {
    this.#heldInAll++
    this.#held.set(session, (this.#held.get(session) ?? 0) + 1)
  }

  /** Frees a slot and admits the first caller that may have it. */
  release(session: string): void {
    this.#heldInAll--
    const held = (this.#held.get(session) ?? 1) - 1
    if (held > 0) this.#held.set(session, held)
    else this.#held.delete(session)
    for (const next of this.#waiting) {
      if (!this.#isFree(next.session)) continue
      this.#waiting = this.#waiting.filter((other) => other !== next)
      this.hold(next.session)
      next.admit()
      return
    }
  }
}
