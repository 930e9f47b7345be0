import { LruMap } from '@mynah/kernel/util'
import type { Locale } from '@mynah/plugin-chat/api'
import { SlackError, type SlackApi } from './api.js'
import { fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

const MAX_KNOWN = 5_000
const PAGE = 200

/** A user as `users.info` describes it. */
export interface User {
  readonly name?: string | undefined
  readonly isBot?: boolean
  readonly locale?: Locale | undefined
}

/** A channel: private with one user, or one with a name. */
export interface Room {
  readonly user?: string | undefined
  readonly name?: string | undefined
}

export const isDirect = (channel: string): boolean => channel.startsWith('D')

/** The users and channels that the bot has seen. Those that Slack does not describe have no name. */
export class Directory {
  readonly #api: SlackApi
  readonly #users = new LruMap<string, User>(MAX_KNOWN)
  readonly #rooms = new LruMap<string, Room>(MAX_KNOWN)
  readonly #direct = new LruMap<string, string>(MAX_KNOWN)

  constructor(api: SlackApi) {
    this.#api = api
  }

  nameOf(user: string): string | undefined {
    return this.#users.peek(user)?.name
  }

  async user(id: string): Promise<User> {
    const known = this.#users.get(id)
    if (known) return known
    const found = await this.#ask('users.info', { user: id, include_locale: true })
    if (!found) return {}
    const { name, real_name: realName, profile, is_bot: isBot, locale } = fieldsOf(found.user)
    const { display_name: displayName } = fieldsOf(profile)
    const user: User = {
      name: nameOf(displayName, realName, name),
      isBot: isBot === true || id === 'USLACKBOT',
      locale: localeOf(textOf(locale, 20)),
    }
    this.#users.set(id, user)
    return user
  }

  async room(id: string): Promise<Room> {
    const known = this.#rooms.get(id)
    if (known) return known
    const found = await this.#ask('conversations.info', { channel: id })
    if (!found) return {}
    const { user, name } = fieldsOf(found.channel)
    if (isDirect(id)) return this.takeDirect(id, idOf(user))
    const room = { name: nameOf(name) }
    this.#rooms.set(id, room)
    return room
  }

  /** Notes with whom a private channel is. */
  takeDirect(id: string, user: string | undefined): Room {
    if (user === undefined) return {}
    this.#rooms.set(id, { user })
    this.#direct.set(user, id)
    return { user }
  }

  /** Returns the private channel with a user. */
  async openDirect(user: string): Promise<string | undefined> {
    const known = this.#direct.get(user)
    if (known !== undefined) return known
    const { channel } = await this.#api.call('conversations.open', { users: user })
    const id = idOf(fieldsOf(channel).id)
    if (id !== undefined) this.takeDirect(id, user)
    return id
  }

  /** Returns the channels that the bot is in, of these types. */
  async rooms(types: string, limit: number): Promise<Fields[]> {
    const rooms: Fields[] = []
    let cursor: string | undefined
    while (cursor !== '' && rooms.length < limit) {
      const args = { types, exclude_archived: true, limit: PAGE, cursor }
      const answer = await this.#api.call('users.conversations', args)
      rooms.push(...listOf(answer.channels).filter(({ id }) => idOf(id) !== undefined))
      cursor = textOf(fieldsOf(answer.response_metadata).next_cursor, 1_000)
    }
    return rooms.slice(0, limit)
  }

  /** Messages are received without a name rather than not at all. */
  async #ask(method: string, args: Fields): Promise<Fields | undefined> {
    try {
      return await this.#api.call(method, args)
    } catch (error) {
      if (error instanceof SlackError) return error.retryAfter === undefined ? {} : undefined
      throw error
    }
  }
}

function localeOf(locale: string): Locale | undefined {
  if (locale.startsWith('zh')) return 'zh-CN'
  return locale.startsWith('en') ? 'en' : undefined
}
