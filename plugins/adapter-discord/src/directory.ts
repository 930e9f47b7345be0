import { LruMap } from '@mynah/kernel/util'
import type { Channel } from '@mynah/plugin-chat/api'
import { DiscordError, path, type Rest } from './rest.js'
import { countOf, fieldsOf, idOf, listOf, nameOf, type Fields } from './wire.js'

const MAX_CHANNELS = 5_000
const PRIVATE_CHANNEL = 1
const THREADS: ReadonlySet<unknown> = new Set([10, 11, 12])

/** A channel of Discord: of a server, a thread in one, or private with one user. */
export interface Place {
  readonly guild?: string | undefined
  /** The channel that a thread is in. */
  readonly parent?: string | undefined
  readonly user?: string | undefined
  readonly name?: string | undefined
}

/** The channels that the bot has seen. */
export class Directory {
  readonly #rest: Rest
  readonly #places = new LruMap<string, Place>(MAX_CHANNELS)
  readonly #privateChannels = new LruMap<string, string>(MAX_CHANNELS)

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Notes a channel as Discord describes it. */
  take(channel: Fields, guild = idOf(channel.guild_id)): Place | undefined {
    const id = idOf(channel.id)
    if (id === undefined) return undefined
    const user = guild === undefined ? idOf(listOf(channel.recipients)[0]?.id) : undefined
    if (channel.type === PRIVATE_CHANNEL && user !== undefined) return this.takePrivate(id, user)
    if (guild === undefined) return undefined
    const parent = THREADS.has(channel.type) ? idOf(channel.parent_id) : undefined
    const place = { guild, parent, name: nameOf(channel.name) }
    this.#places.set(id, place)
    return place
  }

  takePrivate(id: string, user: string): Place {
    this.#places.set(id, { user })
    this.#privateChannels.set(user, id)
    return { user }
  }

  /** Notes the channels and open threads of a server. */
  takeGuild(guild: Fields): void {
    const id = idOf(guild.id)
    for (const channel of [...listOf(guild.channels), ...listOf(guild.threads)]) this.take(channel, id)
  }

  knows(id: string): boolean {
    return this.#places.has(id)
  }

  forget(id: string): void {
    this.#places.delete(id)
  }

  /** Returns a channel; `undefined` where the bot may not see it. */
  async get(id: string): Promise<Place | undefined> {
    const known = this.#places.get(id)
    if (known) return known
    try {
      return this.take(fieldsOf(await this.#rest.get(path`/channels/${id}`)))
    } catch (error) {
      if (error instanceof DiscordError && (error.status === 403 || error.status === 404)) return undefined
      throw error
    }
  }

  /** Returns the private channel with a user. */
  async openPrivate(user: string): Promise<string | undefined> {
    const known = this.#privateChannels.get(user)
    if (known !== undefined) return known
    const id = idOf(fieldsOf(await this.#rest.call('POST', '/users/@me/channels', { recipient_id: user })).id)
    if (id !== undefined) this.takePrivate(id, user)
    return id
  }
}

/** Returns the channel as chat knows it. The id of a thread has its channel in front. */
export function channelOf(id: string, { guild, parent, user, name }: Place): Channel | undefined {
  if (user !== undefined) return { type: 'private', id: user }
  if (guild === undefined) return undefined
  return {
    type: 'channel',
    id: parent === undefined ? id : `${parent}:${id}`,
    ...(name === undefined ? {} : { name }),
    parent: { type: 'guild', id: guild },
  }
}

/** Returns whether a channel of a server has words. */
export const hasText = ({ type }: Fields): boolean => [0, 5, 10, 11, 12].includes(countOf(type) ?? -1)
