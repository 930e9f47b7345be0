// Asking for updates, one after the other; an update counts as taken only once it was accepted.
import type { Update } from 'grammy/types'
import type { Api } from 'grammy'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { retryAfterOf } from './errors.js'
import { pause } from './pause.js'

/** Seconds that Telegram holds a question that has no answer yet. */
const HOLD_S = 30
/** Pause after an empty answer that came at once, so that a server that holds nothing is not asked without end. */
const IDLE_MS = 250
const IDLE_BELOW_MS = 1_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
const CONFIRM_MS = 2_000

export interface PollerDeps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Logger
  readonly allowedUpdates: readonly string[]
  /** Resolves once the update is accepted; rejects where it must come again. */
  readonly take: (update: Update) => Promise<void>
  /** The connection is gone. */
  readonly lost: (reason: unknown) => void
}

export class Poller {
  readonly #deps: PollerDeps
  /** First update that is not taken yet. */
  #next = 0
  /** What Telegram has been told of `#next`. */
  #told = 0
  #running: Promise<void> | undefined
  #broken = false

  constructor(deps: PollerDeps) {
    this.#deps = deps
  }

  /** Asks until `signal` aborts or the connection is gone. */
  start(signal: AbortSignal): void {
    this.#broken = false
    this.#running = this.#run(signal)
  }

  /** Resolves when nothing is being taken any more, and Telegram knows what was; `signal` of `start` has to be aborted. */
  async stop(): Promise<void> {
    await this.#running
    this.#running = undefined
    if (this.#broken || this.#told >= this.#next) return
    // Updates count as delivered only with the next question; without it all would come again after a restart.
    try {
      await this.#ask({ limit: 1, timeout: 0 }, AbortSignal.timeout(CONFIRM_MS))
    } catch (error) {
      this.#deps.log.debug(`the last updates could not be confirmed and will come again: ${messageOf(error)}`)
    }
  }

  async #ask(question: { limit: number; timeout: number }, signal: AbortSignal): Promise<Update[]> {
    const offset = this.#next
    const updates = await this.#deps.api.getUpdates({ offset, ...question, allowed_updates: this.#deps.allowedUpdates as never }, signal as never)
    this.#told = offset
    return updates
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, lost } = this.#deps
    while (!signal.aborted) {
      const began = clock.now()
      let updates: Update[]
      try {
        updates = await this.#ask({ limit: 100, timeout: HOLD_S }, signal)
      } catch (error) {
        if (signal.aborted) return
        const asked = retryAfterOf(error)
        if (asked === undefined) {
          this.#broken = true
          lost(error)
          return
        }
        await pause(clock, asked, signal)
        continue
      }
      for (const update of updates) {
        if (!(await this.#take(update, signal))) return
        this.#next = Math.max(this.#next, update.update_id + 1)
      }
      if (updates.length === 0 && clock.now() - began < IDLE_BELOW_MS) await pause(clock, IDLE_MS, signal)
    }
  }

  /** Offers the update until it is accepted; false when there is no more time for that. */
  async #take(update: Update, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#deps.take(update)
        return true
      } catch (error) {
        if (attempt === 0) this.#deps.log.warn(`an update is not accepted and is kept back until it is: ${messageOf(error)}`)
        await pause(this.#deps.clock, Math.min(RETRY_FIRST_MS * 2 ** attempt, RETRY_MAX_MS), signal)
      }
    }
    return false
  }
}
