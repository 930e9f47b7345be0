import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputFile } from 'grammy'
import { SendError, type Segment } from '@mynah/plugin-chat/api'

/** How each type of media is sent: the method and its field. */
const METHODS = {
  image: ['sendPhoto', 'photo'],
  video: ['sendVideo', 'video'],
  audio: ['sendAudio', 'audio'],
  record: ['sendVoice', 'voice'],
  voice: ['sendVoice', 'voice'],
  file: ['sendDocument', 'document'],
} as const

export type MediaMethod = (typeof METHODS)[keyof typeof METHODS][0]

/** Returns the field of a method that has the medium. */
export const fieldOf = (method: MediaMethod): string =>
  Object.values(METHODS).find(([name]) => name === method)?.[1] ?? 'document'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** Returns whether a source is an address on the web, which Telegram fetches itself. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

async function sourceOf({ type, data }: Segment): Promise<string | InputFile> {
  const name = text(data.name)
  const fileId = text(data.fileId)
  if (fileId) return fileId
  // Only `file` may name a file of this machine.
  const address = text(data.url) ?? text(data.src)
  if (address && !isAddress(address))
    throw new SendError('refused', `The address of a segment of type ${type} must begin with http:// or https://`)
  const source = address ?? text(data.file)
  if (source && isAddress(source)) return source
  const bytes = text(data.base64)
  if (bytes) return new InputFile(Buffer.from(bytes, 'base64'), name ?? type)
  if (!source)
    throw new SendError('refused', `A segment of type ${type} names no medium: url, file, base64 or fileId is required`)
  const path = source.startsWith('file:') ? fileURLToPath(source) : source
  // Checked before the upload, since a stream that fails looks like a failed network.
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${basename(path)}" cannot be read`)
  return new InputFile(path, name ?? basename(path))
}

/** Returns the method and payload for a segment with media, or `undefined` for other segments. */
export async function mediaOf(
  segment: Segment,
): Promise<{ readonly method: MediaMethod; readonly payload: Record<string, unknown> } | undefined> {
  const known = Object.hasOwn(METHODS, segment.type) ? METHODS[segment.type as keyof typeof METHODS] : undefined
  if (!known) return undefined
  const [method, field] = segment.type === 'audio' && segment.data.voice === true ? METHODS.voice : known
  return { method, payload: { [field]: await sourceOf(segment) } }
}
