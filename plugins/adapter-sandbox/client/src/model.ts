// Users, scenes and messages of the sandbox, without a browser.
import type { Channel, Content, Person, SandboxHistoryItem, Segment } from '@mynah/contract/types'

/** A simulated user, as whom a person at the console can write. */
export interface SandboxUser {
  readonly id: string
  readonly name: string
  /** Added by hand, so that it can be removed. */
  readonly custom?: true
}

/** A conversation. The private one belongs to the selected user. */
export interface Scene {
  readonly channel: Channel
  readonly name: string
  /** Added by hand, so that it can be removed. */
  readonly custom?: true
}

/** A message as the page shows it. */
export interface ChatMessage extends Omit<SandboxHistoryItem, 'endpoint_id'> {
  readonly state?: 'sending' | 'failed'
  /** Whether the bot is still writing it. */
  readonly streaming?: boolean
  readonly error?: string
}

const TOWN = { type: 'guild', id: 'town', name: 'Town' } as const

/** The users that every sandbox has. */
export const DEFAULT_USERS: readonly SandboxUser[] = [
  { id: 'alice', name: 'Alice' },
  { id: 'bob', name: 'Bob' },
  { id: 'carol', name: 'Carol' },
]

/** The scenes that every sandbox has, as well as the private ones. */
export const DEFAULT_SCENES: readonly Scene[] = [
  { name: 'Lobby', channel: { type: 'group', id: 'lobby', name: 'Lobby' } },
  { name: 'Town #general', channel: { type: 'channel', id: 'general', name: 'general', parent: TOWN } },
  { name: 'Town #music', channel: { type: 'channel', id: 'music', name: 'music', parent: TOWN } },
]

/** Returns a key of a channel that is the same for equal channels. */
export const channelKey = ({ type, parent, id }: Channel): string => `${type}:${parent ? `${parent.id}/` : ''}${id}`

export const privateChannel = (user: SandboxUser): Channel => ({ type: 'private', id: user.id, name: user.name })

export const displayName = (person: Person): string => person.name || person.id

/** Returns a text on one line, with at most `most` characters. */
export const truncate = (text: string, most = 80): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

const MAX_MESSAGES = 500

/** Adds a message, or replaces the one with its id at its position. */
export function upsertMessage(messages: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const index = messages.findIndex(({ messageId }) => messageId === message.messageId)
  return index < 0 ? [...messages, message].slice(-MAX_MESSAGES) : messages.with(index, message)
}

/** Consecutive messages of one sender within this time share one header. */
const GROUPING_MS = 300_000

/** A message with the parts that the list shows above it. */
export interface MessageRow {
  readonly message: ChatMessage
  /** Whether a header with the sender is shown. */
  readonly showsSender: boolean
  /** Time of the first message of a day, in the time zone of the browser. */
  readonly day?: number
  /** When the host restarted, if that was between this message and the one before. */
  readonly restart?: number
}

const dayOf = (time: number): string => new Date(time).toDateString()

/** Returns the rows of a scene. The sender is shown again after a new day, a restart or another sender. */
export function messageRows(messages: readonly ChatMessage[], hostStarts: readonly number[]): readonly MessageRow[] {
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const restart = before && hostStarts.find((start) => before.timestamp < start && start <= message.timestamp)
    const newDay = before !== undefined && dayOf(before.timestamp) !== dayOf(message.timestamp)
    const same =
      before !== undefined &&
      before.sender.id === message.sender.id &&
      before.direction === message.direction &&
      message.timestamp - before.timestamp < GROUPING_MS
    return {
      message,
      showsSender: !same || newDay || restart !== undefined,
      ...(newDay ? { day: message.timestamp } : {}),
      ...(restart === undefined ? {} : { restart }),
    }
  })
}

/** Returns the history of the host, followed by messages that it does not have. Failed messages keep their state. */
export function mergeHistory(
  history: readonly ChatMessage[],
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  const known = new Set(history.map(({ messageId }) => messageId))
  const failed = new Map(
    messages.filter(({ state }) => state === 'failed').map((message) => [message.messageId, message]),
  )
  // The history may hold a message that the bot then failed to accept.
  return [
    ...history.map((message) => failed.get(message.messageId) ?? message),
    ...messages.filter(({ messageId }) => !known.has(messageId)),
  ].slice(-MAX_MESSAGES)
}

export const toSegments = (content: Content): readonly Segment[] =>
  typeof content === 'string' ? [{ type: 'text', data: { text: content } }] : content

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why typed JSON is no list of segments: a syntax error, not a list, or an invalid segment. */
export type SegmentError =
  | { readonly kind: 'json'; readonly error: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'segment'; readonly index: number }

/** Parses segments that a person typed. */
export function parseSegments(text: string): { readonly segments: Segment[] } | { readonly error: SegmentError } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { error: { kind: 'json', error: (error as Error).message } }
  }
  if (!Array.isArray(value) || value.length === 0) return { error: { kind: 'list' } }
  const index = value.findIndex(
    (part: unknown) =>
      !isObject(part) || typeof part['type'] !== 'string' || part['type'] === '' || !isObject(part['data']),
  )
  return index < 0 ? { segments: value as Segment[] } : { error: { kind: 'segment', index } }
}

/** Returns a unique id. `crypto.randomUUID` is missing where the console is served over plain http. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
