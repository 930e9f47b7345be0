import type {
  CallbackQuery,
  ChatJoinRequest,
  ChatMemberUpdated,
  Message,
  MessageReactionUpdated,
  ReactionType,
  Update,
  UserFromGetMe,
} from 'grammy/types'
import type { Channel } from '@mynah/contract/types'
import { messageOf } from '@mynah/kernel'
import {
  Text,
  type EndpointHandle,
  type InboundMessage,
  type InboundNotice,
  type InboundReaction,
} from '@mynah/plugin-chat/api'
import type { Administrators } from './administrators.js'
import { albumCursor, partsOf } from './albums.js'
import { channelOf, inboundOf, personOf, threadOf } from './inbound.js'
import { messageIdOf, parseChannelId } from './ids.js'
import type { Migrations } from './migrations.js'
import { findMistake } from './validation.js'
import type { InboundItem } from './inbound-item.js'

/** Returns a pressed button as a message with its command, sent by the user who pressed it. */
function buttonMessage(query: CallbackQuery): InboundItem | undefined {
  const { message, data, from } = query
  if (!message || !data) return undefined
  return {
    message: {
      id: `button:${query.id}`,
      channel: channelOf(message.chat, threadOf(message as Message)),
      sender: personOf(from),
      content: data,
      mentioned: true,
      ...(message.message_id === undefined ? {} : { replyTo: messageIdOf(message.chat.id, message.message_id) }),
    },
  }
}

function joinRequest({ chat, from, date, bio }: ChatJoinRequest): InboundItem {
  // With its date, since the same user may ask again after a refusal.
  return {
    request: {
      id: `${chat.id}:${from.id}:${date}`,
      kind: 'group-join',
      sender: personOf(from),
      channel: channelOf(chat),
      ...(bio ? { comment: bio } : {}),
      timestamp: date * 1000,
    },
  }
}

function membershipNotice(
  { chat, from, date, old_chat_member: before, new_chat_member: after }: ChatMemberUpdated,
  updateId: number,
): InboundItem {
  return {
    notices: [
      {
        id: `member:${updateId}`,
        kind: 'group-member',
        channel: channelOf(chat),
        operator: personOf(from),
        target: personOf(after.user),
        payload: { before: before.status, after: after.status },
        timestamp: date * 1000,
      },
    ],
  }
}

/** Returns the notices of a service message, such as users who joined or left. */
function serviceNotices(message: Message): InboundItem | undefined {
  const { chat, from, date, new_chat_members: came = [], left_chat_member: left, migrate_to_chat_id: movedTo } = message
  const notice = (kind: string, suffix: string, rest: Partial<InboundNotice>): InboundNotice => ({
    id: `${messageIdOf(chat.id, message.message_id)}:${suffix}`,
    kind,
    channel: channelOf(chat),
    ...(from ? { operator: personOf(from) } : {}),
    payload: {},
    timestamp: date * 1000,
    ...rest,
  })
  const notices = [
    ...came.map((user) => notice('group-join', `join:${user.id}`, { target: personOf(user) })),
    ...(left ? [notice('group-leave', `leave:${left.id}`, { target: personOf(left) })] : []),
    ...(movedTo === undefined ? [] : [notice('group-moved', 'moved', { payload: { to: String(movedTo) } })]),
  ]
  return notices.length ? { notices } : undefined
}

/** Returns an edit. Telegram lets only the author and administrators of a channel edit a message. */
function editOf(message: Message, me: UserFromGetMe): InboundItem {
  const { chat, edit_date: date = message.date } = message
  return {
    change: {
      messageId: messageIdOf(chat.id, message.message_id),
      channel: channelOf(chat, threadOf(message)),
      content: inboundOf(message, me)?.content ?? message.text ?? message.caption ?? '',
      timestamp: date * 1000,
    },
  }
}

/** Returns the name of a reaction: the emoji, or the number of one that a set of Telegram has. */
function emojiOf(reaction: ReactionType): string {
  if (reaction.type === 'emoji') return reaction.emoji
  return reaction.type === 'custom_emoji' ? reaction.custom_emoji_id : '⭐'
}

/** Returns the difference between the reactions of a user before and after. */
function reactionsOf(update: MessageReactionUpdated): InboundItem {
  const { chat, message_id: number, user, actor_chat: actor, date } = update
  const before = new Set(update.old_reaction.map(emojiOf))
  const after = new Set(update.new_reaction.map(emojiOf))
  const sender = user ? personOf(user) : { id: String(actor?.id ?? chat.id), name: actor?.title ?? String(chat.id) }
  const reaction = (emoji: string, added: boolean): InboundReaction => ({
    messageId: messageIdOf(chat.id, number),
    // Telegram does not say in which topic the message is.
    channel: channelOf(chat),
    sender,
    emoji,
    added,
    timestamp: date * 1000,
  })
  return {
    reactions: [
      ...[...before].filter((emoji) => !after.has(emoji)).map((emoji) => reaction(emoji, false)),
      ...[...after].filter((emoji) => !before.has(emoji)).map((emoji) => reaction(emoji, true)),
    ],
  }
}

function parseUpdate(update: Update, me: UserFromGetMe, parts: readonly Message[]): InboundItem | undefined {
  const said = update.message ?? update.channel_post
  if (said) {
    const message = inboundOf(parts[0] ?? said, me, parts)
    return message ? { message } : serviceNotices(said)
  }
  const edited = update.edited_message ?? update.edited_channel_post
  if (edited) return editOf(edited, me)
  if (update.message_reaction) return reactionsOf(update.message_reaction)
  if (update.callback_query) return buttonMessage(update.callback_query)
  if (update.chat_join_request) return joinRequest(update.chat_join_request)
  const member = update.my_chat_member ?? update.chat_member
  return member ? membershipNotice(member, update.update_id) : undefined
}

/** Words of buttons of Telegram itself, which have its prefix whatever that of the host is. */
const OWN_COMMAND = /^\/(?=(?:start|help)(?:\s|$))/

/** Returns the message with the prefix of the host before a command of Telegram itself. */
function withPrefix(message: InboundMessage, prefix: string): InboundMessage {
  const { channel, content } = message
  if (prefix === '/' || channel.type !== 'private' || typeof content === 'string') return message
  const [first, ...rest] = content
  if (first?.type !== 'text') return message
  const text = String(first.data.text).replace(OWN_COMMAND, () => prefix)
  return { ...message, content: [Text(text), ...rest] }
}

/** Returns the message with the sender's role in the group. */
async function withRole(message: InboundMessage, administrators: Administrators): Promise<InboundMessage> {
  const { channel, sender } = message
  const place = channel.type === 'group' ? parseChannelId(channel.id) : undefined
  const role = typeof place?.chat === 'number' ? await administrators.roleOf(place.chat, Number(sender.id)) : undefined
  return role === undefined ? message : { ...message, sender: { ...sender, role } }
}

/** The parts of a bot that an update needs on its way to chat. */
export interface DeliveryContext {
  readonly me: UserFromGetMe
  readonly endpoint: Pick<EndpointHandle, 'receive' | 'request' | 'notice' | 'changed' | 'reaction' | 'log'>
  readonly administrators: Administrators
  readonly migrations: Pick<Migrations, 'homeOf'>
  /** The prefix of commands on this host. */
  readonly prefix: string
}

/**
 * Passes an update, or the parts of an album, to chat. Rejects only where chat does not accept it, so that it is
 * delivered again. An update that cannot be parsed would be delivered forever, and is logged instead.
 */
export async function deliverUpdate(
  updates: readonly Update[],
  { me, endpoint, administrators, migrations, prefix }: DeliveryContext,
): Promise<void> {
  const [update] = updates
  if (!update) return
  let item: InboundItem | undefined
  try {
    item = parseUpdate(update, me, partsOf(updates))
    const changed = update.my_chat_member ?? update.chat_member
    if (changed) administrators.forget(changed.chat.id)
    const mistake = item && findMistake(item)
    if (mistake) throw new Error(mistake)
  } catch (error) {
    endpoint.log.error(`failed to parse the update ${update.update_id}, ignoring it: ${messageOf(error)}`)
    return
  }
  if (!item) return
  const atHome = async <T extends { readonly channel?: Channel | undefined }>(part: T): Promise<T> =>
    part.channel ? { ...part, channel: await migrations.homeOf(part.channel) } : part
  if ('message' in item) {
    const message = await withRole(withPrefix(item.message, prefix), administrators)
    await endpoint.receive(await atHome(message), albumCursor(updates))
  } else if ('request' in item) await endpoint.request(await atHome(item.request))
  else if ('change' in item) await endpoint.changed(await atHome(item.change))
  else if ('reactions' in item) for (const reaction of item.reactions) await endpoint.reaction(await atHome(reaction))
  else for (const notice of item.notices) await endpoint.notice(await atHome(notice))
}
