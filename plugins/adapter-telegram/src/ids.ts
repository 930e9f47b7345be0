/** A chat and, in a forum, its topic. */
export interface Place {
  readonly chat: number | string
  readonly thread?: number
}

const PLACE = /^(-?\d{1,16}|@\w{4,32})(?::(\d{1,15}))?$/
const MESSAGE = /^(-?\d{1,16}):(\d{1,15})$/

/** Parses the id of a channel such as `-1001`, `-1001:42` (a topic) or `@name`. */
export function parseChannelId(id: string): Place | undefined {
  const [, chat, thread] = PLACE.exec(id) ?? []
  if (chat === undefined) return undefined
  return {
    chat: chat.startsWith('@') ? chat : Number(chat),
    ...(thread === undefined ? {} : { thread: Number(thread) }),
  }
}

/** Returns the id of a channel for a chat and, in a forum, its topic. */
export const channelIdOf = (chat: number, thread?: number): string =>
  thread === undefined ? String(chat) : `${chat}:${thread}`

/** Returns the id of a message. It has the chat, since Telegram counts messages by chat. */
export const messageIdOf = (chat: number, message: number): string => `${chat}:${message}`

/** Returns the number of a message within `chat`; `undefined` for a message of another chat or no id. */
export function numberIn(chat: number | string, id: string): number | undefined {
  const [, of, message] = MESSAGE.exec(id) ?? []
  return of === undefined || (typeof chat === 'number' && Number(of) !== chat) ? undefined : Number(message)
}
