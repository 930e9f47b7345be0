import type { Message, MessageOrigin, TextQuote, User } from 'grammy/types'
import { Forward, Quote, quotedMedia, renderToPlainText, type ForeignWords, type Segment } from '@mynah/plugin-chat/api'
import { attachmentOf } from './attachments.js'
import { messageIdOf } from './ids.js'
import { withLinks } from './links.js'

const NAME_LENGTH = 256
/** Longer than any text of Telegram, for other servers. */
const TEXT_LENGTH = 8_192

type Worded = Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>

/** Fields by which servers of before Bot API 7.0 report a forwarded message. */
interface OldForward {
  readonly forward_date?: number
  readonly forward_from?: User
  readonly forward_from_chat?: { readonly title?: string }
  readonly forward_sender_name?: string
}

const userName = ({ first_name: first, last_name: last, username }: User): string | undefined =>
  [first, last].filter(Boolean).join(' ') || username

function originName(origin: MessageOrigin | undefined): string | undefined {
  if (origin?.type === 'user') return userName(origin.sender_user)
  if (origin?.type === 'hidden_user') return origin.sender_user_name
  if (origin?.type === 'chat') return origin.sender_chat?.title
  return origin?.chat?.title
}

const wordsOf = ({ text, caption, entities, caption_entities: ofCaption }: Worded): string =>
  withLinks(text ?? caption ?? '', entities ?? ofCaption ?? [])

function foreignWords(text: string, name: string | undefined): ForeignWords {
  return { text: text.slice(0, TEXT_LENGTH), ...(name ? { name: name.slice(0, NAME_LENGTH) } : {}) }
}

/** Returns what a message and its attachment say, where it is one of another person. */
function shownText(message: Worded, attachment: Segment | undefined): string {
  return [attachment ? renderToPlainText([attachment]) : '', wordsOf(message)].filter((text) => text !== '').join('\n')
}

/** Returns a forwarded message; `undefined` where its sender has written it here. */
export function forwardOf(message: Message, parts: readonly Message[]): Segment[] | undefined {
  const { forward_origin: origin, is_automatic_forward: isAutomatic, sender_chat: chat } = message
  const old = message as OldForward
  if (!origin && old.forward_date === undefined) return undefined
  // The post of a channel in its own discussion group.
  if (isAutomatic && origin?.type === 'channel' && origin.chat?.id === chat?.id) return undefined
  const name =
    originName(origin) ??
    (old.forward_from ? userName(old.forward_from) : (old.forward_sender_name ?? old.forward_from_chat?.title))
  const attachments = parts.map(attachmentOf)
  const text = parts.map((part, index) => shownText(part, attachments[index])).join('\n')
  return [
    ...attachments.flatMap((attachment) => (attachment ? [quotedMedia(attachment)] : [])),
    Forward(foreignWords(text, name)),
  ]
}

function authorOf({ reply_to_message: answered, external_reply: external }: Message): string | undefined {
  if (answered) return answered.sender_chat?.title ?? (answered.from && userName(answered.from))
  return originName(external?.origin) ?? external?.chat?.title
}

/** Returns the words that are quoted: the selected part, else the whole message. */
function quotedWords(quote: TextQuote | undefined, source: Worded, attachment: Segment | undefined): string {
  return quote ? withLinks(quote.text, quote.entities ?? []) : shownText(source, attachment)
}

/** Returns the answered message, of this chat or another one, with its media unless the bot itself has sent them. */
export function quoteOf(message: Message, me: { readonly id: number }): Segment[] {
  const { reply_to_message: answered, external_reply: external, quote } = message
  const source = (answered ?? external) as Message | undefined
  // Every message of a topic is reported as an answer to its first message.
  if (!source || source.forum_topic_created) return []
  const attachment = source.from?.id === me.id ? undefined : attachmentOf(source)
  const text = quotedWords(quote, source, attachment)
  const words = { ...foreignWords(text, authorOf(message)), ...(quote?.is_manual ? { isPart: true } : {}) }
  const id = answered && messageIdOf(message.chat.id, answered.message_id)
  return [...(attachment ? [quotedMedia(attachment)] : []), ...(text === '' ? [] : [Quote(words, id)])]
}
