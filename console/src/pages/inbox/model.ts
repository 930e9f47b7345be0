import type { Channel, MessageRow, NoticeRow, RequestRow } from '@mynah/contract/types'

/** The endpoint of a row. */
export interface EndpointRef {
  readonly adapter: string
  readonly endpoint: string
}
export type Message = MessageRow & EndpointRef
export type Request = RequestRow & EndpointRef
export type Notice = NoticeRow & EndpointRef

export interface Conversation extends EndpointRef {
  readonly key: string
  readonly channel: Channel
  readonly name: string
  readonly last: Message
  readonly unread: number
  /** Key of the chat that it is a thread of, where that is listed. */
  readonly chat?: string
}

/** Returns the parent without which a channel is not known: the id of a thread has that of its chat. */
export const separateParent = ({ id, parent }: Channel): Channel['parent'] =>
  parent?.type === 'group' && id.startsWith(`${parent.id}:`) ? undefined : parent

/** Returns the key of a conversation, unique over all endpoints. */
export const conversationKey = ({ adapter, endpoint, channel }: EndpointRef & { readonly channel: Channel }): string =>
  [adapter, endpoint, channel.type, separateParent(channel)?.id ?? '', channel.id].map(encodeURIComponent).join('/')

/** Returns the name of a conversation: the channel, or the sender of a private chat. */
function nameOf(message: Message): string {
  const { channel } = message
  const own =
    channel.name ??
    (channel.type === 'private' && message.direction === 'in' ? message.sender.name : undefined) ??
    channel.id
  return channel.parent?.name ? `${channel.parent.name} / ${own}` : own
}

export const isUnread = ({ direction, read }: Pick<Message, 'direction' | 'read'>): boolean =>
  direction === 'in' && !read

/** Returns the key of the chat of a thread, whose id begins with the id of the chat. */
function chatKeyOf({ channel, ...endpoint }: EndpointRef & { readonly channel: Channel }): string | undefined {
  const { id, parent } = channel
  const end = id.lastIndexOf(':')
  if (!parent || end < 1) return undefined
  const chat = id.slice(0, end)
  // The parent of a thread is its chat, except within a guild.
  const { parent: _, ...rest } = channel
  return conversationKey({ ...endpoint, channel: { ...(parent.id === chat ? rest : channel), id: chat } })
}

/** Returns the conversations with each thread below its chat, which is where its newest message belongs. */
function withThreads(talks: readonly Conversation[]): Conversation[] {
  const known = new Set(talks.map(({ key }) => key))
  const threads = new Map<string, Conversation[]>()
  const order = new Set<string>()
  const byKey = new Map<string, Conversation>()
  for (const talk of talks) {
    const chat = chatKeyOf(talk)
    if (chat === undefined || !known.has(chat)) {
      order.add(talk.key)
      byKey.set(talk.key, talk)
      continue
    }
    order.add(chat)
    const thread = { ...talk, chat }
    const others = threads.get(chat)
    if (others) others.push(thread)
    else threads.set(chat, [thread])
  }
  if (threads.size === 0) return [...talks]
  return [...order].flatMap((key) => {
    const talk = byKey.get(key)
    return talk ? [talk, ...(threads.get(key) ?? [])] : []
  })
}

/** Returns conversations, newest message first, and threads below their chat. */
export function conversations(messages: Iterable<Message>): Conversation[] {
  const found = new Map<string, { last: Message; unread: number; name: string }>()
  for (const message of messages) {
    const key = conversationKey(message)
    const former = found.get(key)
    const unread = (former?.unread ?? 0) + (isUnread(message) ? 1 : 0)
    const newer = !former || message.timestamp >= former.last.timestamp
    const name = nameOf(message)
    found.set(key, {
      last: newer ? message : former.last,
      unread,
      name: former && (message.direction === 'out' || !newer) ? former.name : name,
    })
  }
  const talks = [...found]
    .map(([key, { last, unread, name }]) => ({
      key,
      adapter: last.adapter,
      endpoint: last.endpoint,
      channel: last.channel,
      name,
      last,
      unread,
    }))
    .sort((a, b) => b.last.timestamp - a.last.timestamp || a.key.localeCompare(b.key))
  return withThreads(talks)
}

/** Returns the reactions of a message by emoji, in the order in which each was first given. */
export function reactionsOf({
  reactions = [],
}: Pick<Message, 'reactions'>): { readonly emoji: string; readonly people: readonly string[] }[] {
  const people = new Map<string, string[]>()
  for (const { emoji, sender } of reactions) people.set(emoji, [...(people.get(emoji) ?? []), sender.name ?? sender.id])
  return Array.from(people, ([emoji, names]) => ({ emoji, people: names }))
}

export type Line =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'unread'; readonly key: string; readonly count: number }
  | {
      readonly kind: 'group'
      readonly key: string
      readonly sender: string
      readonly own: boolean
      readonly messages: readonly Message[]
    }

const TOGETHER_MS = 300_000

/**
 * Returns the lines of a conversation: days, the unread mark, and messages of one sender within five minutes as a
 * group.
 */
export function linesOf(messages: readonly Message[], firstUnread: string | undefined): Line[] {
  const ordered = [...messages].sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1))
  const lines: Line[] = []
  let group: { key: string; sender: string; own: boolean; messages: Message[]; at: number } | undefined
  let day = ''
  const close = (): void => {
    if (group)
      lines.push({ kind: 'group', key: group.key, sender: group.sender, own: group.own, messages: group.messages })
    group = undefined
  }
  for (const [index, message] of ordered.entries()) {
    const date = new Date(message.timestamp).toDateString()
    if (date !== day) {
      close()
      lines.push({ kind: 'day', key: `day ${date}`, at: message.timestamp })
      day = date
    }
    if (message.id === firstUnread) {
      close()
      lines.push({
        kind: 'unread',
        key: 'unread',
        count: ordered.slice(index).filter((item) => item.direction === 'in').length,
      })
    }
    const own = message.direction === 'out'
    if (
      !group ||
      group.own !== own ||
      group.sender !== message.sender.name ||
      message.timestamp - group.at > TOGETHER_MS
    ) {
      close()
      group = { key: message.id, sender: message.sender.name, own, messages: [], at: message.timestamp }
    }
    group.messages.push(message)
    group.at = message.timestamp
  }
  close()
  return lines
}

/** Returns the id of the first unread message. */
export function firstUnreadOf(messages: readonly Message[]): string | undefined {
  return [...messages].sort((a, b) => a.timestamp - b.timestamp).find(isUnread)?.id
}

/** Adds their endpoint to rows. */
export const withEndpoint = <T extends object>(rows: readonly T[], of: EndpointRef): (T & EndpointRef)[] =>
  rows.map((row) => ({ ...row, adapter: of.adapter, endpoint: of.endpoint }))

/** Converts a row of an event, or returns undefined if it is invalid. */
export function fromEvent<T extends object>(data: unknown): (T & EndpointRef) | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { adapter, endpoint_id: endpoint, id } = data as { adapter?: unknown; endpoint_id?: unknown; id?: unknown }
  return typeof adapter === 'string' && typeof endpoint === 'string' && typeof id === 'string'
    ? { ...(data as T), adapter, endpoint }
    : undefined
}
