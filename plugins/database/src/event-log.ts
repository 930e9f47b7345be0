import type { EventLog, LoggedEvent } from '@mynah/plugin-events/api'
import type { Store } from './store/store.js'
import { STREAM_ROW, StreamHead } from './store/tables.js'

interface EventRow {
  readonly id: number
  readonly type: string
  readonly data: string
  readonly timestamp: number
}

/** Opens the log of the event stream. Its epoch stays the same for the lifetime of the database. */
export async function openEventLog(store: Store): Promise<EventLog> {
  const head = await store.read((db) => db.findOne(StreamHead, { id: STREAM_ROW }))
  if (!head) throw new Error('The row of the event log is missing')
  return {
    epoch: head.epoch,
    append: (events) => store.log(events),
    listen: (listener) => store.listen(listener),
    after: (id, limit) =>
      store.read(async (db) => {
        const rows = await db.query<EventRow>(
          'SELECT id, type, data, timestamp FROM stream_event WHERE id > $1 ORDER BY id LIMIT $2',
          [id, limit],
        )
        return rows.map((row): LoggedEvent => ({
          id: Number(row.id),
          type: row.type,
          json: row.data,
          timestamp: Number(row.timestamp),
        }))
      }),
    bounds: () =>
      store.read(async (db) => {
        const [row] = await db.query<{ oldest: number | null; head: number }>(
          'SELECT (SELECT min(id) FROM stream_event) AS oldest, head FROM stream_head WHERE id = $1',
          [STREAM_ROW],
        )
        const newest = Number(row?.head ?? 0)
        return {
          before: row?.oldest === null || row?.oldest === undefined ? newest : Number(row.oldest) - 1,
          head: newest,
        }
      }),
  }
}
