import type { MessageRow } from '@mynah/contract/types'
import { isAt, type MessageChange, type MessagePlace } from '@mynah/plugin-chat/api'
import type { Database, Reads } from '@mynah/plugin-database/api'
import type { Publication } from '@mynah/plugin-events/api'
import { rowsOf } from './open-rows.js'
import { toMessageRow } from './rows.js'
import { Messages, SENT, type StoredMessage } from './tables.js'

/** Rows that are looked at. A platform gives one id to messages of several channels at most. */
const CANDIDATES = 100

/** Returns the newest row of a message with that id in its chat. */
async function rowAt(db: Reads, place: MessagePlace): Promise<StoredMessage | undefined> {
  const { adapter, endpoint, messageId } = place
  const found = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE adapter = $1 AND endpoint = $2 AND inbound_id = $3
     UNION ALL SELECT id FROM message WHERE adapter = $1 AND endpoint = $2 AND message_id = $3 AND ${SENT}
     ORDER BY id DESC LIMIT ${CANDIDATES}`,
    [adapter, endpoint, messageId],
  )
  const rows = await rowsOf(db, found.reverse())
  return rows.findLast((row) => isAt(row, place))
}

function columnsOf({ segments, text, editedAt, deletedAt, reactions }: MessageChange): Partial<StoredMessage> {
  return {
    ...(segments === undefined ? {} : { segments }),
    ...(text === undefined ? {} : { text }),
    ...(editedAt === undefined ? {} : { edited_at: editedAt }),
    ...(deletedAt === undefined ? {} : { deleted_at: deletedAt }),
    ...(reactions === undefined ? {} : { reactions }),
  }
}

/** As {@link MessageStore.changeMessage}. */
export function changeMessage(
  database: Database,
  place: MessagePlace,
  decide: (row: MessageRow) => MessageChange | undefined,
  eventOf: ((row: MessageRow) => Publication) | undefined,
): Promise<{ readonly isStored: boolean; readonly changed?: MessageRow }> {
  return database.tx(async (db) => {
    const row = await rowAt(db, place)
    if (!row) return { isStored: false }
    const change = decide(toMessageRow(row))
    if (!change) return { isStored: true }
    const columns = columnsOf(change)
    await db.change(Messages, [{ id: row.id, ...columns }])
    const changed = toMessageRow({ ...row, ...columns })
    if (eventOf) db.announce(eventOf(changed))
    return { isStored: true, changed }
  })
}
