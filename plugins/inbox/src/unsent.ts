import type { MessageRow } from '@mynah/contract/types'
import { RESEND_PREFIX, type InboxPage, type InboxQuery } from '@mynah/plugin-chat/api'
import type { Reads } from '@mynah/plugin-database/api'
import { rowsOf } from './open-rows.js'
import { toMessageRow } from './rows.js'
import { UNSENT } from './tables.js'

/** Rows of an endpoint that were not sent, nor sent again. */
const FROM_UNSENT = `FROM message WHERE adapter = $1 AND endpoint = $2 AND ${UNSENT} AND NOT EXISTS (
  SELECT 1 FROM message AS again WHERE again.adapter = message.adapter AND again.endpoint = message.endpoint
  AND again.send_key = '${RESEND_PREFIX}' || message.id)`

/** As {@link MessageStore.unsent}. */
export async function unsentPage(
  db: Reads,
  { adapter, endpoint, limit, before }: InboxQuery,
): Promise<InboxPage<MessageRow>> {
  const key = [adapter, endpoint]
  const [counted] = await db.query<{ total: number | string }>(`SELECT count(*) AS total ${FROM_UNSENT}`, key)
  const older = before === undefined ? '' : ' AND id < $3'
  const found = await db.query<{ id: string }>(
    `SELECT id ${FROM_UNSENT}${older} ORDER BY id DESC LIMIT ${limit + 1}`,
    before === undefined ? key : [...key, before],
  )
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  // The newest come first.
  const rows = (await rowsOf(db, [...shown].reverse())).map(toMessageRow).reverse()
  return {
    rows,
    total: Number(counted?.total ?? 0),
    ...(found.length > limit && last ? { nextBefore: last.id } : {}),
  }
}
