import type { Chat, Message, User, UserFromGetMe } from 'grammy/types'
import { Text, type Channel, type InboundMessage, type Locale, type Person, type Segment } from '@mynah/plugin-chat/api'
import { attachmentOf } from './attachments.js'
import { channelIdOf, messageIdOf } from './ids.js'
import { parseText, type ParsedText } from './message-text.js'
import { forwardOf, quoteOf } from './quotes.js'

const NAME_LENGTH = 512

/** Returns a user as a person. */
export function personOf(user: User): Person {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username
  return { id: String(user.id), ...(name ? { name: name.slice(0, NAME_LENGTH) } : {}) }
}

/**
 * Returns a chat as a channel. Topics are groups of their own within their chat, so that an answer stays in its topic.
 * Broadcast channels are groups too.
 */
export function channelOf(chat: Chat, thread?: number): Channel {
  const name = chat.title ?? [chat.first_name, chat.last_name].filter(Boolean).join(' ')
  const named = name ? { name } : {}
  return {
    type: chat.type === 'private' ? 'private' : 'group',
    id: channelIdOf(chat.id, thread),
    ...named,
    ...(thread === undefined || chat.type === 'private'
      ? {}
      : { parent: { type: 'group', id: channelIdOf(chat.id), ...named } }),
  }
}

/** Returns the topic of a message. A thread of answers outside of a forum is not a topic. */
export const threadOf = (message: {
  readonly message_thread_id?: number
  readonly is_topic_message?: boolean
}): number | undefined => (message.is_topic_message ? message.message_thread_id : undefined)

function localeOf(user: User | undefined): Locale | undefined {
  const code = user?.language_code?.toLowerCase() ?? ''
  if (code.startsWith('zh')) return 'zh-CN'
  return /^en\b/.test(code) ? 'en' : undefined
}

function senderOf({ sender_chat: chat, from }: Message): InboundMessage['sender'] | undefined {
  // A message in the name of a chat has a placeholder in `from`.
  if (chat) return { id: String(chat.id), name: chat.title ?? String(chat.id) }
  if (!from) return undefined
  const locale = localeOf(from)
  return { ...personOf(from), ...(locale ? { locale } : {}), ...(from.is_bot ? { bot: true } : {}) }
}

/** Returns the words of all parts of an album, each on its line. */
function wordsOf(parts: readonly Message[], me: UserFromGetMe): ParsedText | undefined {
  const spoken = { segments: [] as Segment[], mentioned: false }
  for (const { text, caption, entities, caption_entities: ofCaption } of parts) {
    const parsed = parseText(text ?? caption ?? '', entities ?? ofCaption ?? [], me)
    if (!parsed) return undefined
    if (spoken.segments.length && parsed.segments.length) spoken.segments.push(Text('\n'))
    spoken.segments.push(...parsed.segments)
    spoken.mentioned ||= parsed.mentioned
  }
  return spoken
}

/**
 * Returns the message; `undefined` where it is empty or for another bot.
 *
 * @param parts all parts of an album, of which the message is the first
 */
export function inboundOf(
  message: Message,
  me: UserFromGetMe,
  parts: readonly Message[] = [message],
): InboundMessage | undefined {
  const sender = senderOf(message)
  if (!sender || sender.id === String(me.id)) return undefined
  const { chat, message_id: number, date, reply_to_message: answered } = message
  const base = {
    id: messageIdOf(chat.id, number),
    channel: channelOf(chat, threadOf(message)),
    sender,
    timestamp: date * 1000,
  }
  const forwarded = forwardOf(message, parts)
  // Whom its author mentions is not whom its sender mentions.
  if (forwarded) return { ...base, content: forwarded, mentioned: false }
  const spoken = wordsOf(parts, me)
  if (!spoken) return undefined
  const content: Segment[] = [...parts.flatMap((part) => attachmentOf(part) ?? []), ...spoken.segments]
  if (content.length === 0) return undefined
  return {
    ...base,
    content: [...content, ...quoteOf(message, me)],
    mentioned: spoken.mentioned || answered?.from?.id === me.id,
    // Every message of a topic is reported as an answer to its first message.
    ...(answered && !answered.forum_topic_created ? { replyTo: messageIdOf(chat.id, answered.message_id) } : {}),
  }
}
