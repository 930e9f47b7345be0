import type { InboxQuery } from '@mynah/plugin-chat/api'
import type { Entity, Find, Reads, Where } from '@mynah/plugin-database/api'

/** The columns that all three tables have. */
export interface Paged {
  readonly id: string
  readonly adapter: string
  readonly endpoint: string
  readonly read: number
}

/** Returns the condition of a page. */
export function pageWhere({ adapter, endpoint, unreadOnly, channel, parent }: InboxQuery, pending: boolean): Where {
  return {
    adapter,
    endpoint,
    ...(unreadOnly ? { read: 0 } : {}),
    ...(pending ? { status: 'pending' } : {}),
    ...(channel ? { channel_type: channel.type, channel_id: channel.id } : {}),
    ...(parent ? { parent_type: parent.type, parent_id: parent.id } : {}),
  }
}

/** Returns the rows of a page and one more, newest first. */
export function pageOf<T extends Paged>(
  db: Reads,
  table: Entity<T>,
  query: InboxQuery,
  pending: boolean,
): Promise<T[]> {
  const where = {
    ...pageWhere(query, pending),
    ...(query.before === undefined ? {} : { id: { $lt: query.before } }),
  } as Where<T>
  return db.find(table, { where, order: { id: 'desc' } as NonNullable<Find<T>['order']>, limit: query.limit + 1 })
}
