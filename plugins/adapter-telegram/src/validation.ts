import { Channel, Content, Id } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { hasNul } from '@mynah/plugin-chat/api'
import type { User, UserFromGetMe } from 'grammy/types'
import type { InboundItem } from './inbound-item.js'

const Someone = Type.Object({ id: Id, name: Type.Optional(Type.String({ maxLength: 512 })) })
const Moment = Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }))
const Message = Type.Object({
  id: Id,
  channel: Channel,
  sender: Someone,
  content: Content,
  mentioned: Type.Optional(Type.Boolean()),
  replyTo: Type.Optional(Id),
  timestamp: Moment,
})
const Request = Type.Object({
  id: Id,
  sender: Someone,
  channel: Type.Optional(Channel),
  comment: Type.Optional(Type.String({ maxLength: 2048 })),
  timestamp: Moment,
})
const Notice = Type.Object({
  id: Id,
  channel: Type.Optional(Channel),
  operator: Type.Optional(Someone),
  target: Type.Optional(Someone),
  payload: Type.Object({}),
  timestamp: Moment,
})
const Change = Type.Object({ messageId: Id, channel: Channel, content: Content, timestamp: Moment })
const Reaction = Type.Object({
  messageId: Id,
  channel: Channel,
  sender: Someone,
  emoji: Type.String({ minLength: 1, maxLength: 128 }),
  added: Type.Boolean(),
  timestamp: Moment,
})
const Answer = Type.Object({
  id: Type.Integer(),
  first_name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
})

function mistake(schema: object, value: unknown): string | undefined {
  const [first] = mistakesIn(schema, value)
  if (first) return `${first.path} ${first.message}`
  return hasNul(value) ? 'it has NUL characters' : undefined
}

const firstMistake = (schema: object, values: readonly unknown[]): string | undefined =>
  values.map((value) => mistake(schema, value)).find((found) => found !== undefined)

/**
 * Returns what is wrong with the content of an update; `undefined` where chat can have it. The server may be of any
 * kind and send anything.
 */
export function findMistake(item: InboundItem): string | undefined {
  if ('message' in item) return mistake(Message, item.message)
  if ('request' in item) return mistake(Request, item.request)
  if ('change' in item) return mistake(Change, item.change)
  if ('reactions' in item) return firstMistake(Reaction, item.reactions)
  return firstMistake(Notice, item.notices)
}

/** Parses the answer of `getMe`. */
export function parseMe(answer: unknown): UserFromGetMe {
  if (typeof answer !== 'object' || answer === null || mistakesIn(Answer, answer).length > 0)
    throw new Error('Telegram answers getMe with something else than a bot: check `apiRoot`')
  return answer as User as UserFromGetMe
}

/** Returns whether an update has a number. Its other fields are checked later. */
export function isCountable(update: unknown): update is { readonly update_id: number } {
  const id = (update as { update_id?: unknown } | null | undefined)?.update_id
  return Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < Number.MAX_SAFE_INTEGER
}
