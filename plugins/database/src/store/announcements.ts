import type { LoggedEvent, Publication } from '@mynah/plugin-events/api'
import type { QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { execute } from '../engine/engine.js'
import { STREAM_ROW } from './tables.js'
import { valuesClause } from './values.js'

/** An event without an id, its payload serialized. */
export type Draft = Omit<LoggedEvent, 'id'>
/** Receives the events of each commit. */
export type Listener = (events: readonly LoggedEvent[]) => void

const MAX_EVENTS = 50_000
/** Old events are deleted in batches of at least this size, so that most commits delete none. */
const PRUNE_BATCH = 1_000
/** Rows of one statement. */
const MAX_ROWS = 500

/**
 * Serializes the payload of an event.
 *
 * @throws Error if the payload cannot be written as JSON
 */
export function toDraft({ type, data }: Publication, timestamp: number): Draft {
  return { type, json: JSON.stringify(data) ?? 'null', timestamp }
}

function columnsOf(row: unknown): readonly unknown[] {
  const { type, data, timestamp } = row as { type: string; data: string; timestamp: number | string }
  return [type, data, Number(timestamp)]
}

/** Events of transactions. They are committed with the transaction and delivered after it, in the order of commits. */
export class Announcements {
  readonly #listeners = new Set<Listener>()
  readonly #failed: (error: unknown) => void
  /** Events whose commit had no answer: the log may contain them. */
  #doubtful: readonly LoggedEvent[] = []

  /** @param failed receives errors of listeners */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /**
   * Writes events at the end of a transaction. Ids follow the order of commits, because a transaction that takes ids
   * locks the
   * row of the counter until its commit.
   */
  async write(dialect: Dialect, runner: QueryRunner, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]> {
    if (drafts.length === 0) return []
    const {
      rows: [row],
    } = await execute(dialect, runner, 'UPDATE stream_head SET head = head + $1 WHERE id = $2 RETURNING head', [
      drafts.length,
      STREAM_ROW,
    ])
    if (row === undefined) throw new Error('The row of the event log is missing')
    const last = Number((row as { head: number | string }).head)
    const first = last - drafts.length + 1
    const logged = drafts.map(({ type, json, timestamp }, index): LoggedEvent => ({
      id: first + index,
      type,
      json,
      timestamp,
    }))
    for (let start = 0; start < logged.length; start += MAX_ROWS) {
      const rows = logged
        .slice(start, start + MAX_ROWS)
        .map(({ id, type, json, timestamp }) => [id, type, json, timestamp])
      const { sql, parameters } = valuesClause(rows, { json: dialect === 'sqlite' })
      await execute(dialect, runner, `INSERT INTO stream_event (id, type, data, timestamp) ${sql}`, parameters)
    }
    if (Math.floor(last / PRUNE_BATCH) > Math.floor((first - 1) / PRUNE_BATCH))
      await execute(dialect, runner, 'DELETE FROM stream_event WHERE id <= $1', [last - MAX_EVENTS])
    return logged
  }

  /** Remembers events whose commit had no answer. */
  doubt(events: readonly LoggedEvent[]): void {
    this.#doubtful = [...this.#doubtful, ...events]
  }

  /** Delivers the events of {@link Announcements.doubt} that the log contains. The next transaction begins with it. */
  async settle(dialect: Dialect, runner: QueryRunner): Promise<void> {
    const doubtful = this.#doubtful
    const [first, last] = [doubtful[0], doubtful.at(-1)]
    if (!first || !last) return
    const { rows } = await execute(
      dialect,
      runner,
      'SELECT id, type, data, timestamp FROM stream_event WHERE id >= $1 AND id <= $2',
      [first.id, last.id],
    )
    this.#doubtful = []
    // Another host may have taken the ids of what was rolled back.
    const logged = new Map(rows.map((row) => [Number((row as { id: unknown }).id), JSON.stringify(columnsOf(row))]))
    this.deliver(
      doubtful.filter((event) => logged.get(event.id) === JSON.stringify([event.type, event.json, event.timestamp])),
    )
  }

  /** Delivers committed events. Listeners are synchronous, because the next transaction waits for them. */
  deliver(events: readonly LoggedEvent[]): void {
    if (events.length === 0) return
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
