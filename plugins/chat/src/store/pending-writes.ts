import { messageOf, type BaseContext } from '@mynah/kernel'
import { isWireError, WireError } from '@mynah/contract'
import { backoff } from '@mynah/kernel/util'
import type { MessageStore } from '../api/store.js'
import { Signal } from '../util/signal.js'
import type { ActiveStore } from './active-store.js'

/** Outcomes that are kept. Each is a few hundred bytes. */
const MAX_PENDING = 10_000
/** Delays between attempts to write. */
const RETRY = { firstMs: 250, factor: 2, maxMs: 5_000, jitter: 0.1 }
/** Attempts to write an outcome that the store refuses for another reason than being unavailable. */
const MAX_ATTEMPTS = 5

type Write = (store: MessageStore) => unknown

interface Pending {
  readonly write: Write
  attempts: number
}

/**
 * Outcomes that the store did not take: they are written, in their order, before anything new. Each must be a
 * conditional change, since a refused write may have been applied.
 */
export class PendingWrites {
  /** All outcomes are written: the store is available again. */
  readonly written = new Signal<void>()
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore
  readonly #queue: Pending[] = []
  #flushing: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #attempt = 0
  #dropped = 0
  readonly #waiting = new Set<() => void>()
  #closed = false

  constructor(ctx: BaseContext<unknown>, store: ActiveStore) {
    this.#ctx = ctx
    this.#store = store
  }

  /** Whether outcomes wait to be written. */
  get size(): number {
    return this.#queue.length
  }

  /** Keeps an outcome until the store takes it. */
  add(write: Write): void {
    if (this.#queue.length >= MAX_PENDING) {
      if (this.#dropped++ === 0)
        this.#ctx.log.error(`more than ${MAX_PENDING} message states cannot be stored: later ones are lost`)
      return
    }
    this.#queue.push({ write, attempts: 0 })
    this.#schedule()
  }

  /**
   * Writes what waits. Resolves at once where nothing does.
   *
   * @throws WireError `not_ready` where the store does not take it
   */
  flush(): Promise<void> | undefined {
    if (this.#queue.length === 0) return undefined
    return (this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    }))
  }

  /**
   * Runs `work` now, and again as long as the store is unavailable.
   *
   * @param forMs time after which it gives up, in milliseconds
   * @throws WireError `not_ready` where the store stayed unavailable, or the failure of `work`
   */
  async persist<T>(work: () => Promise<T> | T, forMs: number): Promise<T> {
    const { clock } = this.#ctx
    const until = clock.now() + forMs
    for (let attempt = 0; ; attempt++) {
      try {
        await this.flush()
        return await work()
      } catch (error) {
        if (!isUnavailable(error) || this.#closed || clock.now() >= until) throw error
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake)
          cancel()
          resolve()
        }
        const cancel = clock.setTimeout(wake, backoff(attempt, RETRY))
        this.#waiting.add(wake)
      })
    }
  }

  /** Lets {@link PendingWrites.persist} try for the last time. */
  stopWaiting(): void {
    this.#closed = true
    for (const wake of [...this.#waiting]) wake()
  }

  /** Writes what waits for the last time. Never rejects. */
  async close(): Promise<void> {
    this.stopWaiting()
    try {
      await this.flush()
    } catch (error) {
      this.#ctx.log.error(`failed to store the state of ${this.#queue.length} messages: ${messageOf(error)}`)
    }
  }

  /** Stops the timer. */
  dispose(): void {
    this.stopWaiting()
    this.#cancelTimer?.()
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#closed) return
    this.#cancelTimer = this.#ctx.clock.setTimeout(
      () => {
        this.#cancelTimer = undefined
        this.flush()?.catch(() => this.#schedule())
      },
      backoff(this.#attempt++, RETRY),
    )
  }

  async #flush(): Promise<void> {
    const count = this.#queue.length
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const store = this.#store.current
      if (!store) throw new WireError('not_ready', 'The message store is unavailable')
      try {
        await next.write(store)
      } catch (error) {
        if (isUnavailable(error) || ++next.attempts < MAX_ATTEMPTS) throw error
        this.#ctx.log.error(`failed to store the state of a message for good: ${messageOf(error)}`)
      }
      this.#queue.shift()
    }
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#attempt = 0
    this.#dropped = 0
    this.#ctx.log.info(`stored the state of ${count} messages that the store had refused`)
    this.written.emit()
  }
}

/** Returns whether a call failed because the store is unavailable, so that it can be repeated. */
export const isUnavailable = (error: unknown): boolean => isWireError(error) && error.code === 'not_ready'
