import type { EndpointKey } from '@mynah/plugin-chat/api'
import type { Reads, Where } from '@mynah/plugin-database/api'
import { Messages, UNFINISHED, type StoredMessage } from './tables.js'

/** Most ids in one statement. */
const READ_BATCH = 500

export type OpenState = 'received' | 'handling' | 'draft' | 'intent' | 'sending'

const inState = (...states: OpenState[]): Where<StoredMessage> => ({ state: { $in: states } })
/** The states that each change starts from. Constants, so that changes of one kind are written as one statement. */
export const FROM = {
  received: { state: 'received' },
  handling: { state: 'handling' },
  draft: { state: 'draft' },
  intent: { state: 'intent' },
  sending: { state: 'sending' },
  unattempted: { state: 'intent', message_id: null, sending_since: null, sent_parts: null },
  queued: inState('intent', 'sending'),
  unhandled: inState('received', 'handling'),
  shown: inState('draft', 'sending'),
  unsent: inState('draft', 'intent', 'sending'),
} satisfies Record<string, Where<StoredMessage>>

/** Returns the rows with these ids in ascending order, as long as they match. Reads any number of them in batches. */
export async function rowsOf(
  db: Reads,
  ascending: readonly { readonly id: string }[],
  where: Where<StoredMessage> = {},
): Promise<StoredMessage[]> {
  const rows: StoredMessage[] = []
  for (let start = 0; start < ascending.length; start += READ_BATCH) {
    const ids = ascending.slice(start, start + READ_BATCH).map(({ id }) => id)
    const batch = await db.find(Messages, { where: { ...where, id: { $in: ids } }, order: { id: 'asc' } })
    rows.push(...batch)
  }
  return rows
}

/** Returns the open rows of an endpoint in one of the states, oldest first. */
export async function openRows(
  db: Reads,
  { adapter, endpoint }: EndpointKey,
  states: readonly OpenState[],
  limit?: number,
): Promise<StoredMessage[]> {
  const inStates = `state IN (${states.map((state) => `'${state}'`).join(', ')})`
  const atMost = limit === undefined ? '' : ` LIMIT ${limit}`
  const found = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE adapter = $1 AND endpoint = $2 AND ${UNFINISHED} AND ${inStates}
     ORDER BY id${atMost}`,
    [adapter, endpoint],
  )
  // By state again: a row may have changed since the first statement.
  return rowsOf(db, found, { state: { $in: states } })
}
