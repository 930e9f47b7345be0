import type { Channel } from '@mynah/contract/types'
import { separateParent } from '@mynah/plugin-chat/api'

const part = (text: string): string => encodeURIComponent(text)

/** Parts of the key of a conversation of the agent `main`. */
const PARTS = 4

/**
 * Returns the key of a conversation: `adapter|endpoint|type|channel`, with `parent/channel` where there is a parent
 * other than the chat of a thread, and `|agent` behind it for agents with conversations of their own; every part
 * percent-encoded.
 */
export function sessionKey(adapter: string, endpoint: string, channel: Channel, agent?: string): string {
  const parent = separateParent(channel)
  const id = parent ? `${part(parent.id)}/${part(channel.id)}` : part(channel.id)
  return [part(adapter), part(endpoint), channel.type, id, ...(agent === undefined ? [] : [part(agent)])].join('|')
}

/** Returns the agent that the conversation of a key belongs to, where that is not `main`. */
export function agentOfKey(key: string): string | undefined {
  const parts = key.split('|')
  return parts.length === PARTS + 1 ? decodeURIComponent(parts[PARTS] as string) : undefined
}
