import type { Clock } from '@mynah/kernel'

/** Most lines that may wait. */
const MAX_QUEUED = 2_000

interface Waiting {
  readonly line: string
  readonly written: (error: Error | undefined) => void
  readonly leaving: (() => void) | undefined
}

/** The line was not sent. */
export class NotWrittenError extends Error {}

/** Sends lines in order and within a rate limit, so that the server does not disconnect the bot for flooding. */
export class LineQueue {
  readonly #clock: Clock
  readonly #pacing: { readonly burst: number; readonly perSecond: number }
  readonly #write: (line: string, done: (error?: Error | null) => void) => void
  readonly #queued: Waiting[] = []
  #tokens: number
  #filledAt: number
  #cancel: (() => void) | undefined
  #closed: string | undefined

  constructor(
    clock: Clock,
    pacing: { readonly burst: number; readonly perSecond: number },
    write: (line: string, done: (error?: Error | null) => void) => void,
  ) {
    this.#clock = clock
    this.#pacing = pacing
    this.#write = write
    this.#tokens = pacing.burst
    this.#filledAt = clock.now()
  }

  /** Whether a line would be sent at once. */
  get free(): boolean {
    this.#refill()
    return this.#queued.length === 0 && this.#tokens >= 1
  }

  /** Resolves when the line is written. `leaving` is called just before. */
  put(line: string, leaving?: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(new NotWrittenError(this.#closed))
      if (this.#queued.length >= MAX_QUEUED) return reject(new NotWrittenError('Too many lines wait to be sent'))
      this.#queued.push({ line, leaving, written: (error) => (error ? reject(error) : resolve()) })
      this.#run()
    })
  }

  /** Adds a line without waiting for it. If it is lost, so is the connection. */
  post(line: string): void {
    if (this.#closed !== undefined || this.#queued.length >= MAX_QUEUED) return
    this.#queued.push({ line, leaving: undefined, written: () => undefined })
    this.#run()
  }

  #refill(): void {
    const now = this.#clock.now()
    this.#tokens = Math.min(
      this.#pacing.burst,
      this.#tokens + (Math.max(0, now - this.#filledAt) / 1000) * this.#pacing.perSecond,
    )
    this.#filledAt = now
  }

  #run(): void {
    if (this.#cancel || this.#closed !== undefined) return
    this.#refill()
    while (this.#queued.length > 0 && this.#tokens >= 1) {
      this.#tokens -= 1
      const { line, written, leaving } = this.#queued.shift() as Waiting
      leaving?.()
      this.#write(line, (error) => written(error ?? undefined))
    }
    if (this.#queued.length === 0) return
    this.#cancel = this.#clock.setTimeout(
      () => {
        this.#cancel = undefined
        this.#run()
      },
      Math.max(1, Math.ceil(((1 - this.#tokens) / this.#pacing.perSecond) * 1000)),
    )
  }

  /** Fails all waiting lines and all later ones. */
  close(reason: string): void {
    this.#closed ??= reason
    this.#cancel?.()
    this.#cancel = undefined
    for (const { written } of this.#queued.splice(0)) written(new NotWrittenError(reason))
  }
}
