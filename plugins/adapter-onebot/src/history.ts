import type { EndpointHandle } from '@mynah/plugin-chat/api'
import { listOf, type Transport } from './action.js'
import { messageOf, type Inbound } from './events.js'
import { idOf, isRecord, timeOf, wireId } from './wire.js'

/** Name of the position in a group, before its id: the time of the last message, in milliseconds. */
export const GROUP_CURSOR = 'group:'
/** Groups that are read again. Servers hold up everything else while they read. */
const MAX_GROUPS = 50

/**
 * Returns the messages of groups since their positions. `get_group_msg_history` is no part of the standard, and its
 * servers stall on large requests.
 */
export async function* missedMessages(
  transport: Transport,
  { cursor }: Pick<EndpointHandle, 'cursor'>,
  selfId: string,
  count: number,
): AsyncGenerator<Inbound> {
  let groups = 0
  for (const { group_id: group } of listOf(await transport.call('get_group_list', {}))) {
    const id = idOf(group)
    const since = id === undefined ? undefined : await cursor.get(`${GROUP_CURSOR}${id}`)
    if (id === undefined || since === undefined) continue
    if (++groups > MAX_GROUPS) return
    const answer = await transport.call('get_group_msg_history', { group_id: wireId(id), count })
    const events = listOf(isRecord(answer) ? answer.messages : undefined).slice(-count)
    for (const event of events) {
      const at = timeOf(event.time)
      // Those of the same second may be known already. Chat recognises them by their id.
      if (at === undefined || at < Number(since)) continue
      const found = messageOf({ group_id: group, message_type: 'group', ...event }, selfId, true)
      if (found) yield found
    }
  }
}
