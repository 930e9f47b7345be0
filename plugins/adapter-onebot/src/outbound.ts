import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToPlainText, SendError, type Segment } from '@mynah/plugin-chat/api'
import { serverIdOf, wireId, type Frame } from './wire.js'

/** Largest file that is sent as bytes. */
const MAX_FILE = 32 * 1024 * 1024
const MEDIA: Readonly<Record<string, string>> = {
  image: 'image',
  sticker: 'image',
  audio: 'record',
  record: 'record',
  voice: 'record',
  video: 'video',
  file: 'file',
}
/** QQ shows these as messages of their own, and drops the rest of their message. */
const ALONE = new Set(['record', 'video', 'file'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

async function bytesOf(path: string): Promise<string> {
  const name = basename(path)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_FILE) throw new SendError('refused', `The file "${name}" is larger than ${MAX_FILE} bytes`)
  return (await readFile(path)).toString('base64')
}

/** Returns where the server finds a medium: an address, or the bytes themselves. Paths mean nothing on its machine. */
async function sourceOf({ type, data }: Segment): Promise<string> {
  const address = text(data.url) || text(data.src)
  if (address && !/^https?:\/\//i.test(address))
    throw new SendError('refused', `The address of a segment of type ${type} must begin with http:// or https://`)
  const file = text(data.file)
  if (address || /^https?:\/\//i.test(file)) return address || file
  const bytes = text(data.base64) || (file && (await bytesOf(file.startsWith('file:') ? fileURLToPath(file) : file)))
  if (!bytes)
    throw new SendError('refused', `A segment of type ${type} names no medium: url, file or base64 is required`)
  if (bytes.length > (MAX_FILE / 3) * 4 + 4)
    throw new SendError('refused', `A segment of type ${type} is larger than ${MAX_FILE} bytes`)
  return `base64://${bytes}`
}

async function wireSegment(segment: Segment): Promise<Frame> {
  const { type, data } = segment
  const medium = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined
  if (medium && (type !== 'sticker' || data.url !== undefined)) {
    const name = text(data.name)
    return { type: medium, data: { file: await sourceOf(segment), ...(name ? { name } : {}) } }
  }
  if (type === 'at' && /^(?:\d{1,20}|all)$/.test(String(data.id))) return { type: 'at', data: { qq: String(data.id) } }
  if (type === 'face' && /^\d{1,6}$/.test(String(data.id))) return { type: 'face', data: { id: String(data.id) } }
  return { type: 'text', data: { text: renderToPlainText([segment]) } }
}

const isText = ({ type }: Frame): boolean => type === 'text'

/** Puts a segment of text on a line of its own where the one before is a block, such as a card. */
function joinTexts(parts: readonly Frame[], segments: readonly Segment[]): Frame[] {
  return parts.map((part, index) => {
    const previous = parts[index - 1]
    if (!previous || !isText(part) || !isText(previous)) return part
    const isBlock = [segments[index], segments[index - 1]].some((segment) => segment?.type === 'card')
    return isBlock ? { type: 'text', data: { text: `\n${String((part.data as Frame).text)}` } } : part
  })
}

/** Returns the messages, as arrays of segments, that one message becomes. */
export async function messagesOf(segments: readonly Segment[], chat: string, replyTo?: string): Promise<Frame[][]> {
  const quoted = replyTo ?? text(segments.find(({ type }) => type === 'reply')?.data.id)
  const withPictures = segments.flatMap((segment) => {
    const picture = segment.type === 'card' ? text(segment.data.image) : ''
    return picture ? [{ type: 'image', data: { url: picture } }, segment] : [segment]
  })
  const shown = withPictures.filter(({ type }) => type !== 'reply')
  const parts = joinTexts(await Promise.all(shown.map(wireSegment)), shown)
  const messages: Frame[][] = []
  let open: Frame[] | undefined
  for (const part of parts) {
    if (ALONE.has(String(part.type))) {
      messages.push([part])
      open = undefined
    } else if (open) open.push(part)
    else messages.push((open = [part]))
  }
  const told = messages.filter((list) =>
    list.some((part) => !isText(part) || text((part.data as Frame).text).trim() !== ''),
  )
  const answered = serverIdOf(chat, quoted)
  if (answered !== undefined) told[0]?.unshift({ type: 'reply', data: { id: String(wireId(answered)) } })
  return told
}
