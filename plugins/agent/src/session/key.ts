import type { Channel } from '@mynah/contract/types'

const part = (text: string): string => encodeURIComponent(text)

/**
 * Returns the key of a conversation: `adapter|endpoint|type|channel`, with `parent/channel` where there is a parent;
 * every part percent-encoded.
 */
export function sessionKey(adapter: string, endpoint: string, channel: Channel): string {
  const id = channel.parent ? `${part(channel.parent.id)}/${part(channel.id)}` : part(channel.id)
  return [part(adapter), part(endpoint), channel.type, id].join('|')
}
