// Events that go with what a transaction writes: committed with it, told after it, in the order of commits.
import type { LoggedEvent, Publication } from '@mynah/plugin-events/api'
import type { QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { execute } from '../engine/engine.js'
import { STREAM_ROW } from './tables.js'
import { valuesOf } from './values.js'

/** An event without an id yet, its payload fixed as text. */
export type Draft = Omit<LoggedEvent, 'id'>
/** Told of the events of each commit. */
export type Listener = (events: readonly LoggedEvent[]) => void

const HELD = 50_000
/** Pruned by so many at least, so that most commits delete nothing. */
const SLACK = 1_000
/** Rows of one statement. */
const MAX_ROWS = 500

/**
 * Fixes an event as it is now.
 *
 * @throws Error where its payload cannot be written as JSON.
 */
export function draftOf({ type, data }: Publication, timestamp: number): Draft {
  return { type, json: JSON.stringify(data) ?? 'null', timestamp }
}

export class Announcements {
  readonly #listeners = new Set<Listener>()
  readonly #failed: (error: unknown) => void

  /** @param failed Told of a listener that threw. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** Writes events at the end of a transaction: ids follow commits because whoever takes some holds the counter's row until its commit. */
  async write(dialect: Dialect, runner: QueryRunner, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]> {
    if (drafts.length === 0) return []
    const {
      rows: [row],
    } = await execute(dialect, runner, 'UPDATE stream_head SET head = head + $1 WHERE id = $2 RETURNING head', [
      drafts.length,
      STREAM_ROW,
    ])
    if (row === undefined) throw new Error('The event log lost its own row')
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
      const { sql, parameters } = valuesOf(rows, { json: dialect === 'sqlite' })
      await execute(dialect, runner, `INSERT INTO stream_event (id, type, data, timestamp) ${sql}`, parameters)
    }
    if (Math.floor(last / SLACK) > Math.floor((first - 1) / SLACK))
      await execute(dialect, runner, 'DELETE FROM stream_event WHERE id <= $1', [last - HELD])
    return logged
  }

  /** Tells committed events. Who listens must not wait for anything: the next transaction does. */
  tell(events: readonly LoggedEvent[]): void {
    if (events.length === 0) return
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (error) {
        this.#failed(error)
      }
    }
  }

  /** Tells a listener of every commit from now on. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
