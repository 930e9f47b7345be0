// Users, scenes and messages of the sandbox, without a browser.
import type { Channel, Content, Person, SandboxHistoryItem, Segment } from '@mynah/contract/types'

/** Somebody whom the person at the console can play. */
export interface User {
  readonly id: string
  readonly name: string
  /** Added by hand, so it can be removed. */ readonly own?: true
}

/** A place to talk in; the private one belongs to whoever is being played. */
export interface Scene {
  readonly channel: Channel
  readonly name: string
  readonly own?: true
}

/** A message as the page shows it. */
export interface Line extends Omit<SandboxHistoryItem, 'endpoint_id'> {
  readonly state?: 'sending' | 'failed'
  /** More of it is being written. */
  readonly growing?: boolean
  readonly error?: string
}

const town = { type: 'guild', id: 'town', name: 'Town' } as const

/** The users that every sandbox has. */
export const residents: readonly User[] = [
  { id: 'alice', name: 'Alice' },
  { id: 'bob', name: 'Bob' },
  { id: 'carol', name: 'Carol' },
]

/** The scenes that every sandbox has, beside the private ones. */
export const places: readonly Scene[] = [
  { name: 'Lobby', channel: { type: 'group', id: 'lobby', name: 'Lobby' } },
  { name: 'Town #general', channel: { type: 'channel', id: 'general', name: 'general', parent: town } },
  { name: 'Town #music', channel: { type: 'channel', id: 'music', name: 'music', parent: town } },
]

/** One name for a channel, however it came. */
export const keyOf = ({ type, parent, id }: Channel): string => `${type}:${parent ? `${parent.id}/` : ''}${id}`

export const privateChannel = (user: User): Channel => ({ type: 'private', id: user.id, name: user.name })

export const nameOf = (person: Person): string => person.name || person.id

/** `text` on one line, cut. */
export const brief = (text: string, most = 80): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

const MOST_LINES = 500

/** Adds a message, or puts it in the place of the one with its id: nothing stands twice, nothing moves. */
export function withLine(lines: readonly Line[], line: Line): readonly Line[] {
  const index = lines.findIndex(({ messageId }) => messageId === line.messageId)
  return index < 0 ? [...lines, line].slice(-MOST_LINES) : lines.with(index, line)
}

/** Lines of one speaker that follow each other within this time stand under one head. */
const TOGETHER_MS = 300_000

/** A line as a row of the list: what stands above it. */
export interface Row {
  readonly line: Line
  /** The first of its speaker: with a head. */
  readonly head: boolean
  /** The first of a day of this browser. */
  readonly day?: number
  /** The host began anew between this line and the one before, at this time. */
  readonly restart?: number
}

const dayOf = (time: number): string => new Date(time).toDateString()

/** The rows of a scene: heads where the speaker changes, rules where the day does and where the host began anew. */
export function rowsOf(lines: readonly Line[], starts: readonly number[]): readonly Row[] {
  return lines.map((line, index) => {
    const before = lines[index - 1]
    const restart = before && starts.find((start) => before.timestamp < start && start <= line.timestamp)
    const newDay = before !== undefined && dayOf(before.timestamp) !== dayOf(line.timestamp)
    const same =
      before !== undefined &&
      before.sender.id === line.sender.id &&
      before.direction === line.direction &&
      line.timestamp - before.timestamp < TOGETHER_MS
    return {
      line,
      head: !same || newDay || restart !== undefined,
      ...(newDay ? { day: line.timestamp } : {}),
      ...(restart === undefined ? {} : { restart }),
    }
  })
}

/** What the host remembers, then what it does not know: what is on its way, what failed, what came meanwhile. */
export function withHistory(history: readonly Line[], lines: readonly Line[]): readonly Line[] {
  const known = new Set(history.map(({ messageId }) => messageId))
  const failed = new Map(lines.filter(({ state }) => state === 'failed').map((line) => [line.messageId, line]))
  // The platform may have shown what the bot then failed to take.
  return [
    ...history.map((line) => failed.get(line.messageId) ?? line),
    ...lines.filter(({ messageId }) => !known.has(messageId)),
  ].slice(-MOST_LINES)
}

export const segmentsOf = (content: Content): readonly Segment[] =>
  typeof content === 'string' ? [{ type: 'text', data: { text: content } }] : content

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why typed JSON is no list of segments: a syntax error, not a list, or the segment of that index. */
export type SegmentMistake =
  | { readonly kind: 'json'; readonly error: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'segment'; readonly index: number }

/** Reads segments that a person typed. */
export function readSegments(text: string): { readonly segments: Segment[] } | { readonly mistake: SegmentMistake } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { mistake: { kind: 'json', error: (error as Error).message } }
  }
  if (!Array.isArray(value) || value.length === 0) return { mistake: { kind: 'list' } }
  const index = value.findIndex(
    (part: unknown) =>
      !isObject(part) || typeof part['type'] !== 'string' || part['type'] === '' || !isObject(part['data']),
  )
  return index < 0 ? { segments: value as Segment[] } : { mistake: { kind: 'segment', index } }
}

/** A name that no other message has; `crypto.randomUUID` is missing where the console is served over plain http. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
