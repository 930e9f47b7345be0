import { omitUndefined } from '@mynah/kernel/util'
import type {
  Channel,
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
  Person,
} from '@mynah/plugin-chat/api'
import { readContent } from './content.js'
import { idOf, isRecord, messageIdOf, nameOf, textOf, timeOf, type Frame } from './wire.js'

/** The part of chat that an event becomes. */
export type Inbound =
  | { readonly message: InboundMessage }
  | { readonly change: InboundChange }
  | { readonly reaction: InboundReaction }
  | { readonly request: InboundRequest }
  | { readonly notice: InboundNotice }

const ROLES = new Set(['owner', 'admin', 'member'])
/** Other names for notices, so that they are the same on all platforms. */
const KINDS: Readonly<Record<string, string>> = {
  group_increase: 'group-join',
  group_decrease: 'group-leave',
  group_ban: 'group-mute',
}

const personOf = (id: unknown, ...names: readonly unknown[]): Person | undefined => {
  const known = idOf(id)
  return known === undefined || known === '0' ? undefined : omitUndefined({ id: known, name: nameOf(...names) })
}

/** Returns where an event happened: a group, or the chat with a user, which may have begun in a group. */
function channelOf(event: Frame): Channel | undefined {
  const group = idOf(event.group_id)
  if (group !== undefined && group !== '0' && event.message_type !== 'private')
    return omitUndefined({ type: 'group' as const, id: group, name: nameOf(event.group_name) })
  const user = idOf(event.user_id)
  if (user === undefined) return undefined
  const sender = isRecord(event.sender) ? event.sender : {}
  const parent = event.sub_type === 'group' ? idOf(sender.group_id ?? event.group_id) : undefined
  return omitUndefined({
    type: 'private' as const,
    id: user,
    name: nameOf(sender.nickname),
    parent: parent === undefined ? undefined : { type: 'group' as const, id: parent },
  })
}

function senderOf(event: Frame): InboundMessage['sender'] | undefined {
  const { sender, anonymous } = event
  if (isRecord(anonymous)) {
    const id = idOf(anonymous.id)
    return id === undefined ? undefined : omitUndefined({ id: `anonymous-${id}`, name: nameOf(anonymous.name) })
  }
  const fields = isRecord(sender) ? sender : {}
  const person = personOf(event.user_id, fields.card, fields.nickname)
  const role = event.message_type === 'group' && ROLES.has(String(fields.role)) ? fields.role : undefined
  return person && omitUndefined({ ...person, role: role as 'owner' | 'admin' | 'member' | undefined })
}

/** Returns a message; `undefined` for one of the bot itself, of the system, or without content. */
export function messageOf(event: Frame, selfId: string, late = false): { message: InboundMessage } | undefined {
  const id = idOf(event.message_id)
  const channel = channelOf(event)
  const sender = senderOf(event)
  if (id === undefined || !channel || !sender || sender.id === selfId) return undefined
  if (channel.type === 'group' && event.sub_type === 'notice') return undefined
  const { segments, replyTo, mentions } = readContent(event.message)
  if (segments.length === 0) return undefined
  return {
    message: omitUndefined({
      id: messageIdOf(channel.id, id),
      channel,
      sender,
      content: segments,
      mentioned: mentions.has(selfId),
      replyTo: replyTo === undefined ? undefined : messageIdOf(channel.id, replyTo),
      timestamp: timeOf(event.time),
      late: late || undefined,
    }),
  }
}

function recallOf(event: Frame): { change: InboundChange } | undefined {
  const id = idOf(event.message_id)
  const channel = channelOf(event)
  if (id === undefined || !channel) return undefined
  return {
    change: omitUndefined({
      messageId: messageIdOf(channel.id, id),
      channel,
      deleted: true,
      operator: personOf(event.operator_id ?? event.user_id),
      // The server has checked that the operator may recall it.
      vouched: true,
      timestamp: timeOf(event.time),
    }),
  }
}

/** Returns a reaction as it is added: an emoji for the number of its character, and the number of a face of QQ. */
function emojiOf(code: string): string {
  const number = /^\d{4,7}$/.test(code) ? Number(code) : 0
  const character = number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : ''
  return /^\p{Extended_Pictographic}$/u.test(character) ? character : code
}

/** Returns reactions, which are no part of the standard: those of NapCat have a list, those of Lagrange one code. */
function reactionsOf(event: Frame): { reaction: InboundReaction }[] {
  const id = idOf(event.message_id)
  const channel = channelOf(event)
  const sender = personOf(event.notice_type === 'reaction' ? event.operator_id : event.user_id)
  if (id === undefined || !channel || !sender) return []
  const likes = Array.isArray(event.likes) ? event.likes.slice(0, 32).filter(isRecord) : [{ emoji_id: event.code }]
  return likes.flatMap(({ emoji_id: emoji }) => {
    const name = textOf(emoji, 64)
    const added = event.is_add !== false && event.sub_type !== 'remove'
    const timestamp = timeOf(event.time)
    if (name === '') return []
    return [
      {
        reaction: omitUndefined({
          messageId: messageIdOf(channel.id, id),
          channel,
          sender,
          emoji: emojiOf(name),
          added,
          timestamp,
        }),
      },
    ]
  })
}

function requestOf(event: Frame): { request: InboundRequest } | undefined {
  const flag = textOf(event.flag, 400)
  const sender = personOf(event.user_id)
  const isFriend = event.request_type === 'friend'
  if (flag === '' || !sender || (!isFriend && event.request_type !== 'group')) return undefined
  const inGroup = event.sub_type === 'invite' ? 'group-invite' : 'group-join'
  const kind = isFriend ? 'friend' : inGroup
  return {
    request: omitUndefined({
      id: `${kind}:${flag}`,
      kind,
      sender,
      channel: isFriend ? undefined : channelOf(event),
      comment: textOf(event.comment, 2_048) || undefined,
      timestamp: timeOf(event.time),
    } as const),
  }
}

function noticeOf(event: Frame): { notice: InboundNotice } | undefined {
  const isNotify = event.notice_type === 'notify'
  const type = textOf(isNotify ? event.sub_type : event.notice_type, 48)
  if (!/^[a-z_]+$/.test(type)) return undefined
  // A notice `poke` has a target; all others name the user that they are about.
  const isPoke = isNotify && event.target_id !== undefined
  const parts = [event.time, type, event.sub_type, event.group_id, event.user_id, event.target_id, event.operator_id]
  const duration = Number(event.duration)
  return {
    notice: omitUndefined({
      id: parts.map((part) => idOf(part) ?? '').join(':'),
      kind: KINDS[type] ?? type.replaceAll('_', '-'),
      channel: channelOf(event),
      operator: personOf(isPoke ? event.user_id : event.operator_id),
      target: personOf(isPoke ? event.target_id : event.user_id),
      payload: omitUndefined({
        type: textOf(event.sub_type, 48) || undefined,
        seconds: Number.isSafeInteger(duration) && duration > 0 ? duration : undefined,
      }),
      timestamp: timeOf(event.time),
    }),
  }
}

/** Returns the parts of chat that an event becomes. */
export function inboundOf(event: Frame, selfId: string): readonly Inbound[] {
  const one = (found: Inbound | undefined): readonly Inbound[] => (found ? [found] : [])
  switch (event.post_type) {
    case 'message':
      return one(messageOf(event, selfId))
    case 'request':
      return one(requestOf(event))
    case 'notice':
      if (event.notice_type === 'group_recall' || event.notice_type === 'friend_recall') return one(recallOf(event))
      if (event.notice_type === 'group_msg_emoji_like' || event.notice_type === 'reaction') return reactionsOf(event)
      return one(noticeOf(event))
    default:
      // `message_sent` repeats what the account itself has sent.
      return []
  }
}
