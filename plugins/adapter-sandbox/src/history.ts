import type { Channel, MessageRow, SandboxHistoryItem } from '@mynah/contract/types'
import { messageOf, type Logger } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { MessageStore } from '@mynah/plugin-chat/api'
import type { SandboxPlatform } from './platform.js'

const PAGE = 100

const historyItem = (
  endpointId: string,
  { channel, messageId, content, text, direction, sender, timestamp, editedAt, deletedAt, reactions }: MessageRow,
): SandboxHistoryItem => ({
  endpoint_id: endpointId,
  ...{ channel, messageId, content, text, direction, sender, timestamp },
  ...(editedAt === undefined ? {} : { edited: true }),
  ...omitUndefined({ deletedAt, reactions }),
})

/** Returns the last messages of a scene, oldest first. Without an available store, those of this process. */
export async function readHistory(
  platform: SandboxPlatform,
  endpointId: string,
  channel: Channel,
  limit: number,
  store: MessageStore | undefined,
  log: Logger,
): Promise<SandboxHistoryItem[]> {
  const remembered = platform.history(channel, limit)
  if (!store) return remembered
  const rows: MessageRow[] = []
  try {
    for (let before: string | undefined; rows.length < limit;) {
      const page = await store.messages({
        adapter: 'sandbox',
        endpoint: endpointId,
        channel: { type: channel.type, id: channel.id },
        ...(channel.parent ? { parent: channel.parent } : {}),
        limit: Math.min(PAGE, limit - rows.length),
        ...(before === undefined ? {} : { before }),
      })
      rows.push(...page.rows)
      before = page.nextBefore
      if (before === undefined) break
    }
  } catch (error) {
    log.warn(`the messages of a scene come from memory alone: ${messageOf(error)}`)
    return remembered
  }
  // The process has more details: what a message answers, and its edits. Messages without an id were not sent.
  const items = new Map(
    rows
      .reverse()
      .filter(({ messageId }) => messageId !== '')
      .map((row) => [row.messageId, historyItem(endpointId, row)]),
  )
  for (const item of remembered) items.set(item.messageId, item)
  return [...items.values()].sort((a, b) => a.timestamp - b.timestamp).slice(-limit)
}
