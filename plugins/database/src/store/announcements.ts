import type { LoggedEvent, Publication } from '@mynah/plugin-events/api'
import type { QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { execute, type Engine } from '../engine/engine.js'
import { commitOf, CommitUnanswered, type Commit, type Draft } from './commit.js'
import { readLog } from './read-log.js'

export type { Draft }
/** Receives the events of each commit. */
export type Listener = (events: readonly LoggedEvent[]) => void

/** Events that are read at once. */
const BATCH = 1_000

/**
 * Serializes the payload of an event.
 *
 * @throws Error if the payload cannot be written as JSON
 */
export function toDraft({ type, data }: Publication, timestamp: number): Draft {
  return { type, json: JSON.stringify(data) ?? 'null', timestamp }
}

/**
 * Events of transactions. They are committed with the transaction and delivered after it, in the order of ids. Events
 * that others committed in between are read from the log first.
 */
export class Announcements {
  readonly #listeners = new Set<Listener>()
  readonly #failed: (error: unknown) => void
  readonly #dialect: Dialect
  readonly #commit: Commit
  /** Id of the event that was delivered last. */
  #delivered = 0
  /** The log may contain events that were not delivered. */
  #isBehind = false

  /** @param failed receives errors of listeners */
  constructor(engine: Pick<Engine, 'dialect' | 'streamChannel'>, failed: (error: unknown) => void) {
    this.#dialect = engine.dialect
    this.#commit = commitOf(engine)
    this.#failed = failed
  }

  /** Begins after the event with the id `head`. */
  begin(head: number): void {
    this.#delivered = head
  }

  /**
   * Commits the open transaction with its events and delivers them, unless {@link Announcements.catchUp} has to deliver
   * others first.
   *
   * @throws the error of the driver if the transaction was not committed, or if that is unknown
   */
  async commit(runner: QueryRunner, drafts: readonly Draft[]): Promise<void> {
    const events = await this.#commit(runner, drafts).catch((error: unknown) => {
      if (!(error instanceof CommitUnanswered)) throw error
      this.#isBehind ||= drafts.length > 0
      throw error.cause
    })
    const [first] = events
    if (first && first.id !== this.#delivered + 1) this.#isBehind = true
    else this.#deliver(events)
  }

  /** Whether the log may have events that were not delivered. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Notes that others may have announced events, up to `newest` where it is known. */
  expect(newest?: number): void {
    this.#isBehind ||= newest === undefined || newest > this.#delivered
  }

  /** Delivers the events of the log that were not delivered, if there can be any. Each transaction begins with it. */
  async catchUp(runner: QueryRunner): Promise<void> {
    const query = async (sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> =>
      (await execute(this.#dialect, runner, sql, parameters)).rows
    while (this.#isBehind) {
      // Others may announce more while it reads.
      this.#isBehind = false
      const events = await readLog(query, this.#delivered, BATCH).catch((error: unknown) => {
        this.#isBehind = true
        throw error
      })
      this.#isBehind ||= events.length === BATCH
      this.#deliver(events)
    }
  }

  /** Delivers committed events. Listeners are synchronous, because the next transaction waits for them. */
  #deliver(events: readonly LoggedEvent[]): void {
    const last = events.at(-1)
    if (!last) return
    this.#delivered = last.id
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (error) {
        this.#failed(error)
      }
    }
  }

  /** Adds a listener for the events of every commit. Returns a function that removes it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
