// Messages that the store can never take, such as characters that its encoding lacks, are set aside, since the platform
// would deliver them again and again before anything else.
import { isWireError } from '@mynah/contract'
import type { InboundMessage } from '../api/inbound.js'
import { renderToPlainText, toSegments } from '../api/segments.js'

/** Characters of such a message that are kept. */
const TEXT_LENGTH = 4_000

/** Returns whether the store refuses the values themselves, so that no repetition helps. */
export const isUnstorable = (error: unknown): boolean => isWireError(error) && error.code === 'invalid_request'

/** Returns a text in ASCII, with escapes for everything else. */
const ascii = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns what is stored in place of a message: its ids and its text in ASCII, after the reason. */
export function standInOf({ id, channel, sender, content, timestamp }: InboundMessage, reason: string): InboundMessage {
  const text = ascii(renderToPlainText([...toSegments(content)]).slice(0, TEXT_LENGTH))
  return {
    id: ascii(id),
    channel: { type: channel.type, id: ascii(channel.id) },
    sender: { id: ascii(sender.id) },
    content: `[not stored: ${ascii(reason)}] ${text}`,
    ...(Number.isSafeInteger(timestamp) ? { timestamp } : {}),
  }
}
