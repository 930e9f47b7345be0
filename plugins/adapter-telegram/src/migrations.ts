import { GrammyError } from 'grammy'
import type { Message } from 'grammy/types'
import type { Channel } from '@mynah/contract/types'
import { messageOf, type Logger } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import type { EndpointHandle } from '@mynah/plugin-chat/api'
import { channelIdOf, parseChannelId } from './ids.js'

const CURSOR = 'moved'
/** The latest that are remembered: their JSON has less than the 4,096 bytes of a cursor. */
const MAX_MOVED = 80
const MAX_SEEN = 10_000

const isGroup = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) < 0

/** Returns the id of the supergroup that a group has become, where Telegram refuses a message for that reason. */
export function movedTo(error: unknown): number | undefined {
  const id: unknown = error instanceof GrammyError ? error.parameters?.migrate_to_chat_id : undefined
  return isGroup(id) ? id : undefined
}

/** Returns the ids of a group before and after it became a supergroup. Telegram reports that in both. */
export function moveOf(message: Message | undefined): readonly [from: number, to: number] | undefined {
  const from: unknown = message?.migrate_from_chat_id ?? message?.chat?.id
  const to: unknown = message?.migrate_to_chat_id ?? message?.chat?.id
  return isGroup(from) && isGroup(to) && from !== to ? [from, to] : undefined
}

/** Where a group went. `apart`: the host knows the supergroup as a group of its own. */
interface Move {
  readonly to: number
  readonly apart: boolean
}

/**
 * Groups that became supergroups. The host goes on knowing such a group by its first id, so that its history, session
 * and rules go on; Telegram knows the new id only. Moves are stored, so that both hold after a restart. While the store
 * is unavailable they are known in memory only: Telegram reports a move again with each refused message.
 */
export class Migrations {
  readonly #cursor: EndpointHandle['cursor']
  readonly #log: Logger
  readonly #seen = new LruMap<number, true>(MAX_SEEN)
  #known: Map<number, Move> | undefined

  constructor(cursor: EndpointHandle['cursor'], log: Logger) {
    this.#cursor = cursor
    this.#log = log
  }

  /** Returns the id by which Telegram knows a chat now. */
  async idOf(chat: number | string): Promise<number | string> {
    return isGroup(chat) ? ((await this.#load()).get(chat)?.to ?? chat) : chat
  }

  /** Returns a channel with the ids by which the host knows it. */
  async homeOf(channel: Channel): Promise<Channel> {
    const place = parseChannelId(channel.id)
    if (!place || !isGroup(place.chat)) return channel
    const { chat, thread } = place
    const moved = Array.from(await this.#load()).find(([, { to, apart }]) => to === chat && !apart)
    if (!moved) return channel
    const [first] = moved
    const { parent } = channel
    return {
      ...channel,
      id: channelIdOf(first, thread),
      ...(parent?.id === channelIdOf(chat) ? { parent: { ...parent, id: channelIdOf(first) } } : {}),
    }
  }

  /** Notes that something was said in a chat. */
  saw(chat: number): void {
    if (isGroup(chat)) this.#seen.set(chat, true)
  }

  /** Takes the report of a group that it becomes a supergroup, in which nothing was said yet. */
  moved(from: number, to: number): Promise<void> {
    return this.#learn(from, { to, apart: false })
  }

  /** Takes the refusal of a message to a group that has become a supergroup some time ago. */
  refused(from: number, to: number): Promise<void> {
    return this.#learn(from, { to, apart: this.#seen.peek(to) === true })
  }

  async #learn(from: number, move: Move): Promise<void> {
    const known = await this.#load()
    if (known.get(from)?.to === move.to) return
    for (const [first, { to, apart }] of known) if (to === from) known.set(first, { to: move.to, apart })
    known.delete(from)
    known.set(from, move)
    for (const old of known.keys()) if (known.size > MAX_MOVED) known.delete(old)
    try {
      const stored = Array.from(known, ([old, { to, apart }]) => (apart ? [old, to, 1] : [old, to]))
      await this.#cursor.set({ [CURSOR]: JSON.stringify(stored) })
    } catch (error) {
      this.#log.debug(`failed to store that a group has moved: ${messageOf(error)}`)
    }
  }

  async #load(): Promise<Map<number, Move>> {
    if (this.#known) return this.#known
    let stored: string | undefined
    try {
      stored = await this.#cursor.get(CURSOR)
    } catch (error) {
      this.#log.debug(`failed to read which groups have moved: ${messageOf(error)}`)
    }
    const moves = JSON.parse(stored ?? '[]') as [number, number, 1?][]
    return (this.#known ??= new Map(moves.map(([old, to, apart]) => [old, { to, apart: apart === 1 }])))
  }
}
