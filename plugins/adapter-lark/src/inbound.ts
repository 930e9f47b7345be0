import { omitUndefined } from '@mynah/kernel/util'
import { At, Text, type InboundMessage, type Segment } from '@mynah/plugin-chat/api'
import { fieldsOf, idOf, listOf, nameOf, parseObject, textOf, type Fields } from './wire.js'

const MAX_PARTS = 500
const MARKS = /@_user_\d{1,4}|@_all/g

/** Returns a time, which Lark writes as digits. */
export function timeOf(value: unknown): number | undefined {
  const time = Number(typeof value === 'string' && /^\d{1,16}$/.test(value) ? value : Number.NaN)
  return Number.isSafeInteger(time) ? time : undefined
}

/** Returns the id of a user within the application. */
export const openIdOf = (ids: unknown): string | undefined => idOf(fieldsOf(ids).open_id)

function mentionOf(key: string, mentions: readonly Fields[]): Segment {
  if (key === '@_all') return At('all')
  const known = mentions.find((mention) => mention.key === key)
  const id = openIdOf(known?.id) ?? idOf(known?.id)
  return id === undefined ? Text(key) : At(id, nameOf(known?.name))
}

function wordsOf(text: string, mentions: readonly Fields[]): Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const match of text.matchAll(MARKS)) {
    if (segments.length >= MAX_PARTS) break
    if (match.index > at) segments.push(Text(text.slice(at, match.index)))
    segments.push(mentionOf(match[0], mentions))
    at = match.index + match[0].length
  }
  if (at < text.length) segments.push(Text(text.slice(at)))
  return segments
}

function medium(type: string, key: unknown, message: Fields, content: Fields = {}): Segment[] {
  const file = idOf(key)
  if (file === undefined) return []
  const fileId = `${textOf(message.message_id, 256)}:${file}`
  return [
    { type, data: omitUndefined({ fileId, name: nameOf(content.file_name), voice: type === 'audio' || undefined }) },
  ]
}

function postPart(part: Fields, message: Fields, mentions: readonly Fields[]): Segment[] {
  if (part.tag === 'at') return [mentionOf(textOf(part.user_id, 64), mentions)]
  if (part.tag === 'img') return medium('image', part.image_key, message)
  if (part.tag === 'media') return medium('video', part.file_key, message)
  const address = part.tag === 'a' ? textOf(part.href, 2_048) : ''
  const words = textOf(part.text)
  if (address !== '' && address !== words) return [Text(`${words} (${address})`)]
  return words === '' ? [] : [Text(words)]
}

function post({ title, content }: Fields, message: Fields, mentions: readonly Fields[]): Segment[] {
  const lines = (Array.isArray(content) ? content : []).map((line) =>
    listOf(line).flatMap((part) => postPart(part, message, mentions)),
  )
  const heading = textOf(title) === '' ? [] : [[Text(textOf(title))]]
  const all = [...heading, ...lines].flatMap((line, index) => (index === 0 ? line : [Text('\n'), ...line]))
  return all.slice(0, MAX_PARTS)
}

function segmentsOf(message: Fields): Segment[] {
  const content = fieldsOf(parseObject(textOf(message.content)))
  const mentions = listOf(message.mentions)
  const type = textOf(message.message_type, 64)
  switch (type) {
    case 'text':
      return wordsOf(textOf(content.text), mentions)
    case 'post':
      return post(content, message, mentions)
    case 'image':
      return medium('image', content.image_key, message)
    case 'file':
    case 'audio':
      return medium(type, content.file_key, message, content)
    case 'media':
      return medium('video', content.file_key, message, content)
    case 'sticker':
      return [{ type: 'sticker', data: { id: idOf(content.file_key) ?? '', name: 'sticker' } }]
    default:
      return /^\w{1,32}$/.test(type) ? [{ type: `lark-${type}`, data: { text: `[${type}]` } }] : []
  }
}

function channelOf(message: Fields, sender: string): InboundMessage['channel'] | undefined {
  const chat = idOf(message.chat_id)
  if (chat === undefined) return undefined
  if (message.chat_type === 'p2p') return { type: 'private', id: sender }
  if (idOf(message.thread_id) === undefined) return { type: 'group', id: chat }
  // A thread is answered by answering the message that began it.
  const root = idOf(message.root_id) ?? idOf(message.message_id)
  return { type: 'group', id: `${chat}:${root}`, parent: { type: 'group', id: chat } }
}

/** Returns what was said where the bot hears it; `undefined` for its own words and for anything else. */
export function messageOf(event: Fields, me: string): InboundMessage | undefined {
  const message = fieldsOf(event.message)
  const { sender_id: ids, sender_type: kind } = fieldsOf(event.sender)
  const id = idOf(message.message_id)
  const sender = openIdOf(ids)
  if (id === undefined || sender === undefined || sender === me) return undefined
  const channel = channelOf(message, sender)
  const content = segmentsOf(message)
  if (!channel || content.length === 0) return undefined
  const isToBot = listOf(message.mentions).some((mention) => openIdOf(mention.id) === me)
  const isThreadRoot = channel.parent !== undefined && message.parent_id === message.root_id
  return {
    id,
    channel,
    content,
    sender: { id: sender, ...(kind === 'app' || kind === 'bot' ? { bot: true } : {}) },
    mentioned: channel.type === 'private' || isToBot,
    ...omitUndefined({
      replyTo: isThreadRoot ? undefined : idOf(message.parent_id),
      timestamp: timeOf(message.create_time),
    }),
  }
}
