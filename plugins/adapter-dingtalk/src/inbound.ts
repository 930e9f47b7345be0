import { omitUndefined } from '@mynah/kernel/util'
import { At, Text, type InboundMessage, type ReplyToken, type Segment } from '@mynah/plugin-chat/api'
import { countOf, fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

const PRIVATE = '1'
const GROUP = '2'
const MAX_PARTS = 200
const CODE_LENGTH = 4_096

/** Returns the id of a user: the one of the organization where there is one, which the bot can write to. */
const userOf = (staff: unknown, encrypted: unknown): string | undefined => idOf(staff) ?? idOf(encrypted)

function medium(type: string, data: Fields): Segment[] {
  const fileId = textOf(data.downloadCode, CODE_LENGTH)
  if (fileId === '') return []
  return [
    {
      type,
      data: omitUndefined({
        fileId,
        name: nameOf(data.fileName),
        text: nameOf(data.recognition),
        voice: type === 'audio' || undefined,
      }),
    },
  ]
}

/** How each type of message is read. */
const READERS: Readonly<Record<string, (content: Fields, message: Fields) => Segment[]>> = {
  text: (_, { text }) => [Text(textOf(fieldsOf(text).content))],
  picture: (content) => medium('image', content),
  audio: (content) => medium('audio', content),
  video: (content) => medium('video', content),
  file: (content) => medium('file', content),
  richText: ({ richText }) =>
    listOf(richText)
      .slice(0, MAX_PARTS)
      .flatMap((part) => (typeof part.text === 'string' ? [Text(textOf(part.text))] : medium('image', part))),
}

/** DingTalk takes the mention of the bot out of the text, and leaves the space next to it. */
function withoutGap(segments: readonly Segment[]): Segment[] {
  const [first, ...rest] = segments
  if (first?.type !== 'text') return [...segments]
  const text = String(first.data.text)
  return [Text(rest.length > 0 ? text.trimStart() : text.trim()), ...rest]
}

/** Returns the other users that a message mentions. The text says only which names they have. */
function mentionsOf({ atUsers, chatbotUserId }: Fields): Segment[] {
  return listOf(atUsers)
    .filter(({ dingtalkId }) => dingtalkId !== chatbotUserId)
    .slice(0, MAX_PARTS)
    .flatMap(({ staffId, dingtalkId }) => {
      const id = userOf(staffId, dingtalkId)
      return id === undefined ? [] : [Text(' '), At(id)]
    })
}

function segmentsOf(message: Fields): Segment[] {
  const type = textOf(message.msgtype, 64)
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  if (!read) return /^\w{1,32}$/.test(type) ? [{ type: `dingtalk-${type}`, data: { text: `[${type}]` } }] : []
  const segments = read(fieldsOf(message.content), message)
  return message.conversationType === GROUP ? [...withoutGap(segments), ...mentionsOf(message)] : segments
}

/** Returns the right to answer a message. Of the address, which could be any, only the session is kept. */
function replyTokenOf({ sessionWebhook, sessionWebhookExpiredTime: until }: Fields): ReplyToken | undefined {
  const address = textOf(sessionWebhook, 2_048)
  const session = URL.canParse(address) ? new URL(address).searchParams.get('session') : null
  const end = countOf(until)
  return session && end !== undefined ? { token: session, until: end } : undefined
}

function channelOf(message: Fields, sender: string): InboundMessage['channel'] | undefined {
  if (message.conversationType === PRIVATE) return { type: 'private', id: sender }
  const id = idOf(message.conversationId)
  if (message.conversationType !== GROUP || id === undefined) return undefined
  return { type: 'group', id, ...omitUndefined({ name: nameOf(message.conversationTitle) }) }
}

/** Returns what a user has said to the bot; `undefined` for anything else. */
export function messageOf(message: Fields): InboundMessage | undefined {
  const id = idOf(message.msgId)
  const sender = userOf(message.senderStaffId, message.senderId)
  const isOwn = idOf(message.senderId) !== undefined && message.senderId === message.chatbotUserId
  if (id === undefined || sender === undefined || isOwn) return undefined
  const channel = channelOf(message, sender)
  const content = segmentsOf(message)
  if (!channel || content.length === 0) return undefined
  const { repliedMsg, isReplyMsg } = fieldsOf(message.text)
  return {
    id,
    channel,
    content,
    sender: { id: sender, ...omitUndefined({ name: nameOf(message.senderNick) }) },
    mentioned: channel.type === 'private' || message.isInAtList !== false,
    ...omitUndefined({
      replyTo: isReplyMsg === true ? idOf(fieldsOf(repliedMsg).msgId) : undefined,
      timestamp: countOf(message.createAt),
      via: replyTokenOf(message),
    }),
  }
}
