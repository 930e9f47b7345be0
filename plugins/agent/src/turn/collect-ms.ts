import { SECOND_MS } from '@mynah/kernel/util'
import type { Message } from '@mynah/plugin-chat/api'
import { textWithoutMedia } from './inbound-media.js'

/** How long an attachment without words waits for them, in milliseconds. */
const ATTACHMENT_MS = 4 * SECOND_MS
/** Returns how long a message waits for further ones of its sender, in milliseconds. */
export function collectMsOf(
  { adapter, text, segments }: Pick<Message, 'adapter' | 'text' | 'segments'>,
  collectMs: number,
): number {
  if (collectMs === 0 || adapter === 'sandbox') return 0
  return textWithoutMedia(text, segments).trim() === '' ? Math.max(ATTACHMENT_MS, collectMs) : collectMs
}
