import type { Update } from 'grammy/types'
import type { Api } from 'grammy'
import { albumOf, OpenAlbums } from './albums.js'
import { isCountable } from './validation.js'
import { messageOf, systemClock, type Clock, type Logger } from '@mynah/kernel'
import { TimeoutError, withTimeout, pause } from '@mynah/kernel/util'
import { retryAfterOf } from './errors.js'

/** Seconds after which Telegram answers a request without updates. */
const LONG_POLL_S = 30
/** Time for the answer to such a request, ms. */
const POLL_LIMIT_MS = LONG_POLL_S * 1000 + 10_000
/** Longest delay that Telegram may ask for while the endpoint is online, ms. */
const PATIENCE_MS = 5_000
/** Delay after an empty answer that came at once, for servers without long polling. */
const IDLE_MS = 250
const IDLE_BELOW_MS = 1_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
/** Delay before asking for further parts of an album, ms. */
const ALBUM_MS = 500
const CONFIRM_MS = 2_000
const CONFIRM_TRIES = 3
/** Most updates of one answer, as requested. */
const MAX_UPDATES = 100

export interface PollerOptions {
  readonly api: Api
  readonly clock: Clock
  readonly log: Logger
  readonly allowedUpdates: readonly string[]
  /** Resolves once an update, or all of an album, is accepted. Rejects where it must be repeated. */
  readonly take: (updates: readonly Update[]) => Promise<void>
}

/** Polls for updates, one request at a time. An update counts as delivered once it is accepted. */
export class Poller {
  readonly #deps: PollerOptions
  /** The first update that is not accepted yet. */
  #next = 0
  /** Updates behind that one that are accepted. */
  readonly #taken = new Set<number>()
  readonly #albums = new OpenAlbums()
  /** The offset that Telegram has confirmed. */
  #confirmed = 0
  #running: Promise<void> | undefined
  #broken = false
  /** Answers in a row without an update that can be counted. */
  #emptyAnswers = 0

  constructor(deps: PollerOptions) {
    this.#deps = deps
  }

  /** Asks for updates without waiting for any. Rejects where they cannot be had. */
  open(signal: AbortSignal): Promise<readonly unknown[]> {
    return this.#ask({ limit: MAX_UPDATES, timeout: 0 }, signal)
  }

  /**
   * Takes the updates of {@link Poller.open} and polls until `signal` aborts. Rejects when the connection is lost, or
   * when Telegram asks for a longer delay than {@link PATIENCE_MS}.
   */
  start(first: readonly unknown[], signal: AbortSignal): Promise<void> {
    this.#broken = false
    const running = this.#run(first, signal)
    this.#running = running.catch(() => {
      this.#broken = true
    })
    return running
  }

  /**
   * Resolves when no update is being accepted and Telegram has the offset. The `signal` of `start` must be aborted
   * before.
   */
  async stop(): Promise<void> {
    await this.#running
    this.#running = undefined
    if (this.#broken || this.#confirmed >= this.#next) return
    // Updates count as delivered with the next request. Without it all are sent again after a restart.
    const signal = AbortSignal.timeout(CONFIRM_MS)
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#ask({ limit: 1, timeout: 0 }, signal)
        return
      } catch (error) {
        // The kept-alive connection may have been closed with the last request.
        if (attempt < CONFIRM_TRIES && !signal.aborted) continue
        this.#deps.log.debug(`failed to confirm the last updates, Telegram will send them again: ${messageOf(error)}`)
        return
      }
    }
  }

  async #ask(question: { limit: number; timeout: number }, signal: AbortSignal): Promise<readonly unknown[]> {
    const offset = this.#next
    const updates: unknown = await this.#deps.api.getUpdates(
      { offset, ...question, allowed_updates: this.#deps.allowedUpdates as never },
      signal as never,
    )
    if (!Array.isArray(updates))
      throw new Error('Telegram answers getUpdates with something else than a list: check `apiRoot`')
    this.#confirmed = offset
    return updates.slice(0, MAX_UPDATES)
  }

  async #run(first: readonly unknown[], signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    if (first.length > 0 && !(await this.#takeAll(first, signal))) return
    while (!signal.aborted) {
      const began = clock.now()
      const waitsForParts = this.#albums.size > 0
      if (waitsForParts) await pause(ALBUM_MS, clock, signal)
      const updates = await this.#poll(signal, waitsForParts ? 0 : LONG_POLL_S)
      if (!updates || !(await this.#takeAll(updates, signal))) continue
      if (updates.length === 0 && clock.now() - began < IDLE_BELOW_MS) await pause(IDLE_MS, clock, signal)
    }
  }

  /** Returns the next updates, or `undefined` after a short delay that Telegram has asked for. */
  async #poll(signal: AbortSignal, timeout: number): Promise<readonly unknown[] | undefined> {
    const ask = (limited: AbortSignal): Promise<readonly unknown[]> =>
      this.#ask({ limit: MAX_UPDATES, timeout }, limited)
    try {
      return await withTimeout(systemClock, POLL_LIMIT_MS, ask, { parent: signal })
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof TimeoutError) throw new Error(`Telegram has not answered for ${POLL_LIMIT_MS / 1000} s`)
      const asked = retryAfterOf(error)
      if (asked === undefined || asked > PATIENCE_MS) throw error
      await pause(asked, this.#deps.clock, signal)
      return undefined
    }
  }

  /** Takes updates in order. Returns false when `signal` aborts before. */
  async #takeAll(updates: readonly unknown[], signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.#deps
    const countable = updates.filter(isCountable)
    if (countable.length < updates.length) {
      log.warn(`${updates.length - countable.length} updates without a number are ignored`)
      // Telegram sends them again, so that the next request is delayed more each time.
      if (countable.length === 0)
        await pause(Math.min(RETRY_FIRST_MS * 2 ** this.#emptyAnswers++, RETRY_MAX_MS), clock, signal)
    }
    if (countable.length > 0) this.#emptyAnswers = 0
    const fresh = countable.filter(({ update_id: id }) => id >= this.#next && !this.#taken.has(id)) as Update[]
    this.#albums.keep(new Set(fresh.map(albumOf)))
    for (const update of fresh) {
      const album = albumOf(update)
      const parts = album === undefined ? [update] : fresh.filter((other) => albumOf(other) === album)
      if (update !== parts.at(-1) || (album !== undefined && !this.#albums.isComplete(album, parts.length))) continue
      if (!(await this.#take(parts, signal))) return false
      for (const { update_id: id } of parts) this.#taken.add(id)
      this.#advance(countable)
    }
    return true
  }

  /** Moves to the first update that is not accepted yet. */
  #advance(updates: readonly { readonly update_id: number }[]): void {
    for (const { update_id: id } of updates) {
      const isTaken = this.#taken.delete(id)
      if (id < this.#next) continue
      if (!isTaken) return
      this.#next = id + 1
    }
  }

  /** Repeats until the updates are accepted. Returns false when `signal` aborts before. */
  async #take(updates: readonly Update[], signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#deps.take(updates)
        return true
      } catch (error) {
        if (attempt === 0) this.#deps.log.warn(`failed to accept an update, trying again: ${messageOf(error)}`)
        await pause(Math.min(RETRY_FIRST_MS * 2 ** attempt, RETRY_MAX_MS), this.#deps.clock, signal)
      }
    }
    return false
  }
}
