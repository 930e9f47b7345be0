import type { EventLog } from '@mynah/plugin-events/api'
import { readLog } from './store/read-log.js'
import type { Store } from './store/store.js'
import { STREAM_ROW } from './store/tables.js'

/**
 * Returns the log of the event stream of an open store. Its epoch stays the same for the lifetime of the database,
 * unless a standby server is promoted.
 */
export function openEventLog(store: Store): EventLog {
  return {
    epoch: store.logEpoch,
    append: (events) => store.log(events),
    listen: (listener) => store.listen(listener),
    after: (id, limit) => store.read((db) => readLog((sql, parameters) => db.query(sql, parameters), id, limit)),
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
