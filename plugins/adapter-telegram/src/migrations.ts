import { GrammyError } from 'grammy'
import type { Message } from 'grammy/types'
import { messageOf, type Logger } from '@mynah/kernel'
import type { EndpointHandle } from '@mynah/plugin-chat/api'

const CURSOR = 'moved'
/** The latest that are remembered: their JSON has less than the 4,096 bytes of a cursor. */
const MAX_MOVED = 80

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

/**
 * Groups that became supergroups, so that what waits for one of them is sent to its new id, also after a restart. While
 * the store is unavailable they are known in memory only: Telegram reports a move again with each refused message.
 */
export class Migrations {
  readonly #cursor: EndpointHandle['cursor']
  readonly #log: Logger
  #known: Map<number, number> | undefined

  constructor(cursor: EndpointHandle['cursor'], log: Logger) {
    this.#cursor = cursor
    this.#log = log
  }

  /** Returns the id of a chat now. */
  async idOf(chat: number | string): Promise<number | string> {
    return isGroup(chat) ? ((await this.#load()).get(chat) ?? chat) : chat
  }

  async learn(from: number, to: number): Promise<void> {
    const known = await this.#load()
    if (known.get(from) === to) return
    known.delete(from)
    known.set(from, to)
    for (const old of known.keys()) if (known.size > MAX_MOVED) known.delete(old)
    try {
      await this.#cursor.set({ [CURSOR]: JSON.stringify([...known]) })
    } catch (error) {
      this.#log.debug(`failed to store that a group has moved: ${messageOf(error)}`)
    }
  }

  async #load(): Promise<Map<number, number>> {
    if (this.#known) return this.#known
    let stored: string | undefined
    try {
      stored = await this.#cursor.get(CURSOR)
    } catch (error) {
      this.#log.debug(`failed to read which groups have moved: ${messageOf(error)}`)
    }
    return (this.#known ??= new Map(JSON.parse(stored ?? '[]') as [number, number][]))
  }
}
