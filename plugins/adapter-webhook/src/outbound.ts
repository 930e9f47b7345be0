import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SendError, type OutboundMessage, type Segment, type Target } from '@mynah/plugin-chat/api'

/** Largest file in a message, in bytes. */
const MAX_FILE = 16 * 1024 * 1024

/** The body of a request to the peer. */
export interface Outbound {
  /** The same in repeated requests. Also in the header `idempotency-key`. */
  readonly id: string
  readonly endpoint: string
  readonly channel: Target
  readonly content: readonly Segment[]
  /** The content as plain text. */
  readonly text: string
  readonly replyTo?: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}

/**
 * Returns a segment with the bytes of its file: a path of this machine is useless to the peer and must not be shown.
 */
async function portable(segment: Segment): Promise<Segment> {
  const { file, ...rest } = segment.data
  if (typeof file !== 'string' || /^https?:/i.test(file)) return segment
  if (typeof rest.url === 'string' || typeof rest.base64 === 'string') return { type: segment.type, data: rest }
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  const name = basename(path)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_FILE) throw new SendError('refused', `The file "${name}" is larger than ${MAX_FILE} bytes`)
  return { type: segment.type, data: { name, ...rest, base64: (await readFile(path)).toString('base64') } }
}

export async function outboundOf(
  id: string,
  endpoint: string,
  channel: Target,
  { segments, text, replyTo }: OutboundMessage,
  timestamp: number,
): Promise<Outbound> {
  return {
    id,
    endpoint,
    channel,
    content: await Promise.all(segments.map(portable)),
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
    timestamp,
  }
}
