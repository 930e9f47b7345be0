// A durable store on a database of its own, and what to put into it.
import type { Channel, Segment } from '@mynah/contract/types'
import type { InboundRecord, InboxQuery, OutboundRecord } from '@mynah/plugin-chat/api'
import { newId } from '@mynah/plugin-database/api'
import type { Opened } from '@mynah/plugin-database/testing'
import { DatabaseMessageStore } from '../store.js'
import { TABLES } from '../tables.js'

export const key = { adapter: 'sandbox', endpoint: 'bot' }
export const NOW = 1_790_000_000_000

/** Returns a store as a freshly started process has it. */
export function started({ store }: Opened, now = NOW): DatabaseMessageStore {
  return new DatabaseMessageStore(store, () => now)
}

/** Makes the tables and starts. */
export async function inbox(opened: Opened): Promise<DatabaseMessageStore> {
  await opened.store.contribute(TABLES)
  return started(opened)
}

export function inbound(messageId: string, rest: Partial<InboundRecord> = {}): InboundRecord {
  const segments: Segment[] = [{ type: 'text', data: { text: `text of ${messageId}` } }]
  return {
    id: newId(),
    ...key,
    messageId,
    channel: { type: 'group', id: 'g1', name: 'Group' },
    sender: { id: 'u1', name: 'Ann', role: 'admin' },
    segments,
    text: `text of ${messageId}`,
    mentioned: true,
    replyTo: 'm0',
    timestamp: NOW,
    ...rest,
  }
}

export function outbound(text: string, rest: Partial<OutboundRecord> = {}): OutboundRecord {
  return {
    id: newId(),
    ...key,
    channel: { type: 'group', id: 'g1' } as Channel,
    segments: [{ type: 'text', data: { text } }],
    text,
    timestamp: NOW,
    ...rest,
  }
}

/** Keeps an intent and gives its row. */
export async function intend(store: DatabaseMessageStore, message: OutboundRecord): Promise<string> {
  await store.addIntent(message)
  return message.id
}

export const query = (rest: Partial<InboxQuery> = {}): InboxQuery => ({ ...key, limit: 50, ...rest })
