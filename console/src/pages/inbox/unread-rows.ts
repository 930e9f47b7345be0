import type { EndpointRow, MessageRow } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { isUnread, type EndpointRef, type Message } from './model.js'

const PAGE = 100
/** Pages of unread messages that are loaded before the newest messages. */
const MOST_PAGES = 5

const isAllOf = (rows: readonly MessageRow[], { unread }: EndpointRow): boolean =>
  rows.filter(isUnread).length >= unread.messages

/** Loads the newest messages of an endpoint, and the unread ones before them, so that its count is that of rows. */
export async function loadMessages(endpoint: EndpointRow, signal: AbortSignal): Promise<readonly MessageRow[]> {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name, limit: PAGE }
  const newest = await host().rpc('endpoint:inboxMessages', at, { signal })
  let rows: readonly MessageRow[] = newest.messages
  let before = newest.nextBefore
  for (let page = 0; page < MOST_PAGES && before !== undefined && !isAllOf(rows, endpoint); page++) {
    const more = await host().rpc('endpoint:inboxMessages', { ...at, before, unreadOnly: true }, { signal })
    rows = [...rows, ...more.messages]
    before = more.nextBefore
  }
  return rows
}

/** The messages that the host has answered for one endpoint, if all unread ones up to the newest are among them. */
export interface AllUnread {
  readonly newest: string
  readonly ids: ReadonlySet<string>
}

export const endpointKey = ({ adapter, endpoint }: EndpointRef): string => `${adapter}/${endpoint}`

/** Returns all that is unread of an endpoint, or undefined if more is unread than was loaded. */
export function allUnread(rows: readonly MessageRow[], endpoint: EndpointRow): AllUnread | undefined {
  const [newest] = rows
  return newest && isAllOf(rows, endpoint) ? { newest: newest.id, ids: new Set(rows.map(({ id }) => id)) } : undefined
}

/** Marks rows of an earlier visit as read that were read elsewhere since. */
export function withReadElsewhere(
  rows: Iterable<Message>,
  known: ReadonlyMap<string, AllUnread> | undefined,
): readonly Message[] {
  return [...rows].map((row) => {
    const all = isUnread(row) ? known?.get(endpointKey(row)) : undefined
    return all && row.id < all.newest && !all.ids.has(row.id) ? { ...row, read: true } : row
  })
}
