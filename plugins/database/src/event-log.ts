// The event stream's log in the database: ids in commit order, held for the last 50,000 events.
import { randomBytes } from 'node:crypto'
import type { EventLog, LoggedEvent } from '@mynah/plugin-events/api'
import { entity, type Database } from './api.js'

const HELD = 50_000
/** Pruned by so many at least, so that most appends delete nothing. */
const SLACK = 1_000
const PACKAGE = '@mynah/plugin-database'

interface EventRow { readonly id: number; readonly type: string; readonly data: unknown; readonly timestamp: number }

/** Events that clients may still ask for. */
export const StreamEvents = entity<EventRow>({
  package: PACKAGE,
  name: 'stream_event',
  columns: { id: { type: 'bigint', primary: true }, type: { type: 'text' }, data: { type: 'text' }, timestamp: { type: 'bigint' } },
})

interface HeadRow { readonly id: string; readonly epoch: string; readonly head: number }

/** One row: the name of this log and its newest id. Taking ids from it makes them follow the order of commits. */
export const StreamHead = entity<HeadRow>({
  package: PACKAGE,
  name: 'stream_head',
  columns: { id: { type: 'text', primary: true }, epoch: { type: 'text' }, head: { type: 'bigint' } },
})

const ROW = 'stream'

/** Opens the log, which keeps its epoch as long as its database lives. */
export async function openEventLog(database: Database): Promise<EventLog> {
  await database.appendNew(StreamHead, [{ id: ROW, epoch: randomBytes(6).toString('hex'), head: 0 }])
  const head = await database.read((db) => db.findOne(StreamHead, { id: ROW }))
  if (!head) throw new Error('The event log lost its own row')

  return {
    epoch: head.epoch,
    async append(events) {
      if (events.length === 0) return []
      return database.tx(async (db) => {
        const [row] = await db.query<{ head: number }>('UPDATE stream_head SET head = head + $1 WHERE id = $2 RETURNING head', [events.length, ROW])
        const last = Number(row?.head)
        const first = last - events.length + 1
        const logged = events.map(({ type, data, timestamp }, index): LoggedEvent => ({ id: first + index, type, data: data ?? null, timestamp }))
        await db.insert(StreamEvents, logged.map((event) => ({ ...event, data: JSON.stringify(event.data) })))
        if (Math.floor(last / SLACK) > Math.floor((first - 1) / SLACK)) await db.run('DELETE FROM stream_event WHERE id <= $1', [last - HELD])
        return logged
      })
    },
    after: (id, limit) => database.read(async (db) => {
      const rows = await db.query<Omit<EventRow, 'data'> & { data: string }>('SELECT id, type, data, timestamp FROM stream_event WHERE id > $1 ORDER BY id LIMIT $2', [id, limit])
      return rows.map((row): LoggedEvent => ({ id: Number(row.id), type: row.type, data: JSON.parse(row.data) as unknown, timestamp: Number(row.timestamp) }))
    }),
    bounds: () => database.read(async (db) => {
      const [row] = await db.query<{ oldest: number | null; head: number }>('SELECT (SELECT min(id) FROM stream_event) AS oldest, head FROM stream_head WHERE id = $1', [ROW])
      const newest = Number(row?.head ?? 0)
      return { before: row?.oldest === null || row?.oldest === undefined ? newest : Number(row.oldest) - 1, head: newest }
    }),
  }
}
