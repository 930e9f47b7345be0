// From an update to what chat is told: a message, a request, a notice.
import type { CallbackQuery, ChatJoinRequest, ChatMemberUpdated, Message, Update, UserFromGetMe } from 'grammy/types'
import { messageOf } from '@mynah/kernel'
import type { EndpointHandle, InboundMessage, InboundNotice } from '@mynah/plugin-chat/api'
import type { Administrators } from './administrators.js'
import { channelOf, inboundOf, personOf, threadOf } from './inbound.js'
import { messageIdOf, placeOf } from './ids.js'
import { unsound } from './sound.js'
import type { Told } from './told.js'

/** A pressed button: its command as a message of who pressed it. */
function pressed(query: CallbackQuery): Told | undefined {
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

function joining({ chat, from, date, bio }: ChatJoinRequest): Told {
  // With its date: the same user may ask again after a refusal.
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

function membership(
  { chat, from, date, old_chat_member: before, new_chat_member: after }: ChatMemberUpdated,
  updateId: number,
): Told {
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

/** What a message tells that nobody said: who came, who went. */
function service(message: Message): Told | undefined {
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

/** An edit is a notice: handling the message again would run its command twice. */
function edited(message: Message): Told {
  const { chat, from, edit_date: date = message.date } = message
  const id = messageIdOf(chat.id, message.message_id)
  return {
    notices: [
      {
        id: `edit:${id}:${date}`,
        kind: 'message-edit',
        channel: channelOf(chat, threadOf(message)),
        ...(from ? { operator: personOf(from) } : {}),
        payload: { messageId: id, text: message.text ?? message.caption ?? '' },
        timestamp: date * 1000,
      },
    ],
  }
}

function toldBy(update: Update, me: UserFromGetMe): Told | undefined {
  const said = update.message ?? update.channel_post
  if (said) {
    const message = inboundOf(said, me)
    return message ? { message } : service(said)
  }
  if (update.edited_message) return edited(update.edited_message)
  if (update.callback_query) return pressed(update.callback_query)
  if (update.chat_join_request) return joining(update.chat_join_request)
  const member = update.my_chat_member ?? update.chat_member
  return member ? membership(member, update.update_id) : undefined
}

/** The message with the sender's place in the group. */
async function placed(message: InboundMessage, administrators: Administrators): Promise<InboundMessage> {
  const { channel, sender } = message
  const place = channel.type === 'group' ? placeOf(channel.id) : undefined
  const role = typeof place?.chat === 'number' ? await administrators.roleOf(place.chat, Number(sender.id)) : undefined
  return role === undefined ? message : { ...message, sender: { ...sender, role } }
}

/**
 * Hands an update over. Rejects only where chat does not accept it, so that it is delivered again; one that cannot be
 * understood would come again for ever, and is written to the log instead.
 */
export async function hand(
  update: Update,
  me: UserFromGetMe,
  endpoint: Pick<EndpointHandle, 'receive' | 'request' | 'notice' | 'log'>,
  administrators: Administrators,
): Promise<void> {
  let told: Told | undefined
  try {
    told = toldBy(update, me)
    const changed = update.my_chat_member ?? update.chat_member
    if (changed) administrators.forget(changed.chat.id)
    const mistake = told && unsound(told)
    if (mistake) throw new Error(mistake)
  } catch (error) {
    endpoint.log.error(`the update ${update.update_id} cannot be understood and is passed over: ${messageOf(error)}`)
    return
  }
  if (!told) return
  if ('message' in told) await endpoint.receive(await placed(told.message, administrators))
  else if ('request' in told) await endpoint.request(told.request)
  else for (const notice of told.notices) await endpoint.notice(notice)
}
