import {
  At,
  Face,
  Forward,
  quotedMedia,
  renderToPlainText,
  Text,
  type InboundMessage,
  type Segment,
} from '@mynah/plugin-chat/api'
import { countOf, fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

/** Mentions of users, and emojis of servers. */
const MARKS = /<(?:@!?(?<user>\d{1,20})|a?:(?<emoji>\w{1,32}):(?<emojiId>\d{1,20}))>/g
const MAX_PARTS = 200
const VOICE_NOTE = 1 << 13
const WORDS: ReadonlySet<unknown> = new Set([0, 19])
/** Segments that are words. */
const SPOKEN: ReadonlySet<string> = new Set(['text', 'at', 'face'])
/** Characters of a forwarded message that are taken. */
const TEXT_LENGTH = 8_192
/** A reference to a message that is shown again. */
const FORWARD = 1
const EPOCH_MS = 1_420_070_400_000n

/** Returns when an id was made. */
export const madeAt = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH_MS)

/** Returns whether people or bots have written a message, and not Discord. */
export const isWritten = ({ type }: Fields): boolean => type === undefined || WORDS.has(type)

/** Returns a user as the sender of a message. */
export function senderOf(author: Fields, member: Fields, isBot = author.bot === true): InboundMessage['sender'] {
  const name = nameOf(member.nick, author.global_name, author.username)
  return { id: idOf(author.id) ?? '', ...(name === undefined ? {} : { name }), ...(isBot ? { bot: true } : {}) }
}

function wordsOf(content: string, mentions: readonly Fields[]): Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const match of content.matchAll(MARKS)) {
    if (segments.length >= MAX_PARTS) break
    const { user, emoji, emojiId } = match.groups as Record<string, string | undefined>
    if (match.index > at) segments.push(Text(content.slice(at, match.index)))
    const known = fieldsOf(mentions.find(({ id }) => id === user))
    segments.push(
      user === undefined
        ? Face(emojiId ?? '', emoji)
        : At(user, nameOf(fieldsOf(known.member).nick, known.global_name, known.username)),
    )
    at = match.index + match[0].length
  }
  if (at < content.length) segments.push(Text(content.slice(at)))
  return segments
}

function attachmentOf(attachment: Fields, isVoice: boolean): Segment[] {
  const url = textOf(attachment.url, 2_048)
  if (!/^https?:\/\//.test(url)) return []
  const mime = textOf(attachment.content_type, 127)
  const kind = /^(image|video|audio)\//.exec(mime)?.[1] ?? 'file'
  const data = {
    url,
    name: nameOf(attachment.filename),
    mime: mime || undefined,
    size: countOf(attachment.size),
    width: countOf(attachment.width),
    height: countOf(attachment.height),
    voice: (isVoice && kind === 'audio') || undefined,
  }
  return [{ type: kind, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) }]
}

/** Returns the content of a message of another person, whose name Discord does not say. */
function forwardOf(content: Segment[]): Segment[] {
  const media = content.filter(({ type }) => !SPOKEN.has(type))
  return [...media.map(quotedMedia), Forward({ text: renderToPlainText(content).slice(0, TEXT_LENGTH) })]
}

/** Returns the messages that a message passes on. */
const forwardsOf = ({ message_snapshots: snapshots }: Fields): Segment[] =>
  listOf(snapshots)
    .map(({ message }) => fieldsOf(message))
    .flatMap((shown) => (isWritten(shown) ? forwardOf(segmentsOf({ ...shown, message_snapshots: [] })) : []))

/** Returns the content of a message as segments. */
export function segmentsOf(message: Fields): Segment[] {
  const isVoice = ((countOf(message.flags) ?? 0) & VOICE_NOTE) !== 0
  return [
    ...wordsOf(textOf(message.content), listOf(message.mentions)),
    ...listOf(message.attachments).flatMap((attachment) => attachmentOf(attachment, isVoice)),
    ...listOf(message.sticker_items).map(({ id, name }): Segment => ({
      type: 'sticker',
      data: { id: idOf(id) ?? '', name: nameOf(name) ?? 'sticker' },
    })),
    ...forwardsOf(message),
  ]
}

/** Returns the message that another one answers. */
export function answeredBy({ message_reference: reference }: Fields): string | undefined {
  const { type, message_id: id } = fieldsOf(reference)
  return type === FORWARD ? undefined : idOf(id)
}

/** Returns an emoji: itself, or its name and id. */
export function emojiOf(emoji: Fields): string | undefined {
  const name = nameOf(emoji.name)
  const id = idOf(emoji.id)
  return id === undefined ? name : `${name ?? '_'}:${id}`
}
