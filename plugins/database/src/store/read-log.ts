import type { LoggedEvent } from '@mynah/plugin-events/api'

interface EventRow {
  readonly id: number | string
  readonly type: string
  readonly data: string
  readonly timestamp: number | string
}

/** Runs a statement and returns its rows. */
type Query = (sql: string, parameters: readonly unknown[]) => Promise<readonly unknown[]>

/** Reads the events of the log after an id, in order, at most `limit`. */
export async function readLog(query: Query, after: number, limit: number): Promise<readonly LoggedEvent[]> {
  const rows = await query('SELECT id, type, data, timestamp FROM stream_event WHERE id > $1 ORDER BY id LIMIT $2', [
    after,
    limit,
  ])
  return (rows as readonly EventRow[]).map(({ id, type, data, timestamp }) => ({
    id: Number(id),
    type,
    json: data,
    timestamp: Number(timestamp),
  }))
}
