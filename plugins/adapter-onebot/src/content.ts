import { At, Face, Text, type Segment } from '@mynah/plugin-chat/api'
import { omitUndefined } from '@mynah/kernel/util'
import { parseCodes } from './cq.js'
import { idOf, isRecord, nameOf, textOf, type Frame } from './wire.js'

const MAX_SEGMENTS = 512
const TEXT_LENGTH = 65_536
const ADDRESS_LENGTH = 4_096

/** The content of a message that was received. */
export interface ReadContent {
  readonly segments: Segment[]
  /** The server's id of the message that this one answers. */
  readonly replyTo?: string
  /** Ids of the users that are mentioned. */
  readonly mentions: ReadonlySet<string>
}

const webAddress = (...values: readonly unknown[]): string | undefined =>
  values.map((value) => textOf(value, ADDRESS_LENGTH)).find((value) => /^https?:\/\/\S+$/i.test(value))

/**
 * Returns media. A `file` of the server is a path of its machine or an id that only it knows, and is dropped unless it
 * is an address.
 */
function medium(type: string, data: Frame): Segment {
  const size = Number(data.file_size)
  return {
    type,
    data: omitUndefined({
      url: webAddress(data.url, data.file),
      name: nameOf(data.name, data.file_name),
      size: Number.isSafeInteger(size) && size > 0 ? size : undefined,
      text: nameOf(data.summary),
    }),
  }
}

const other = (type: string, text: string, data: Frame = {}): Segment => ({
  type,
  data: { ...omitUndefined(data), text },
})

/** How each type of segment is read. The text of other types is their name. */
const READERS: Readonly<Record<string, (data: Frame) => Segment | undefined>> = {
  text: (data) => Text(textOf(data.text, TEXT_LENGTH)),
  at: (data) => {
    const id = idOf(data.qq)
    return id === undefined ? undefined : At(id, nameOf(data.name))
  },
  face: (data) => {
    const id = idOf(data.id)
    return id === undefined ? undefined : Face(id, nameOf(data.text))
  },
  image: (data) => medium('image', data),
  record: (data) => medium('voice', data),
  video: (data) => medium('video', data),
  file: (data) => medium('file', data),
  mface: (data) => medium('sticker', data),
  share: (data) => {
    const url = webAddress(data.url)
    return other('share', [nameOf(data.title) ?? '[share]', url].filter(Boolean).join(' '), { url })
  },
  location: (data) =>
    other('location', `[location] ${textOf(data.title, 256)} (${textOf(data.lat, 32)}, ${textOf(data.lon, 32)})`),
  forward: (data) => other('forward', '', { id: idOf(data.id) }),
}

function readSegment({ type, data }: Frame): Segment | undefined {
  if (typeof type !== 'string' || !/^[\w.-]{1,32}$/.test(type)) return undefined
  const known = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return known ? known(isRecord(data) ? data : {}) : other(`onebot-${type}`, `[${type}]`)
}

/** Reads a message, which is an array of segments or text with codes. */
export function readContent(message: unknown): ReadContent {
  const parts = typeof message === 'string' ? parseCodes(message) : message
  const segments: Segment[] = []
  const mentions = new Set<string>()
  let replyTo: string | undefined
  for (const part of Array.isArray(parts) ? parts.slice(0, MAX_SEGMENTS) : []) {
    if (!isRecord(part)) continue
    if (part.type === 'reply') {
      replyTo ??= idOf(isRecord(part.data) ? part.data.id : undefined)
      continue
    }
    const segment = readSegment(part)
    if (!segment) continue
    if (segment.type === 'at') mentions.add(String(segment.data.id))
    segments.push(segment)
  }
  return { segments, mentions, ...(replyTo === undefined ? {} : { replyTo }) }
}
