// Ids as chat knows them: a topic stands behind its group, and a message behind its chat, since Telegram counts messages per chat.

/** Where a message goes: a chat, and the topic in it. */
export interface Place {
  readonly chat: number | string
  readonly thread?: number
}

const PLACE = /^(-?\d{1,16}|@\w{4,32})(?::(\d{1,15}))?$/
const MESSAGE = /^(-?\d{1,16}):(\d{1,15})$/

/** The place of a channel id such as `-1001`, `-1001:42` (a topic) or `@name`. */
export function parseChannelId(id: string): Place | undefined {
  const [, chat, thread] = PLACE.exec(id) ?? []
  if (chat === undefined) return undefined
  return {
    chat: chat.startsWith('@') ? chat : Number(chat),
    ...(thread === undefined ? {} : { thread: Number(thread) }),
  }
}

/** The id of a channel for a chat and, in a forum, its topic. */
export const channelIdOf = (chat: number, thread?: number): string =>
  thread === undefined ? String(chat) : `${chat}:${thread}`

/** The id of a message, unique for the account. */
export const messageIdOf = (chat: number, message: number): string => `${chat}:${message}`

/** The number of a message within `chat`; `undefined` for one of another chat or no id at all. */
export function numberIn(chat: number | string, id: string): number | undefined {
  const [, of, message] = MESSAGE.exec(id) ?? []
  return of === undefined || (typeof chat === 'number' && Number(of) !== chat) ? undefined : Number(message)
}
