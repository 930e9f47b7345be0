import { isRecord } from '@mynah/contract'
import { LruMap } from '@mynah/kernel/util'
import type { Channel, Person } from '@mynah/plugin-chat/api'
import { MatrixError, path, type MatrixClient } from './client.js'

const MAX_ROOMS = 1_000
/** Names that are kept for one room. */
const MAX_NAMES = 2_000
const MAX_NAME = 512
const OWNER_LEVEL = 100
const ADMIN_LEVEL = 50

export interface Room {
  readonly id: string
  name?: string
  readonly names: Map<string, string>
  /** Users in the room, with the bot. */
  members: number
  levels: Record<string, unknown>
}

const cut = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_NAME) : undefined

/** Returns the part of a user id before its homeserver. */
export const localpart = (id: string): string => /^@([^:]+)/.exec(id)?.[1] ?? id

/** The user that a private room is shared with, or undefined for a group: a room with a name, or with more users. */
export function partnerIn({ name, names, members }: Room, me: string): string | undefined {
  if (name !== undefined || members !== 2) return undefined
  return Array.from(names.keys()).find((id) => id !== me)
}

export const personIn = ({ names }: Room, id: string): Person => ({ id, name: names.get(id) ?? localpart(id) })

/** Returns a room or a thread of it as a channel. The id of a private one is that of its user. */
export function channelIn(room: Room, me: string, thread?: string): Channel {
  const partner = partnerIn(room, me)
  const chat = partner ?? room.id
  const name = partner === undefined ? room.name : room.names.get(partner)
  const shown = name === undefined ? {} : { name }
  return {
    type: partner === undefined ? 'group' : 'private',
    id: thread === undefined ? chat : `${chat}:${thread}`,
    ...shown,
    ...(thread === undefined ? {} : { parent: { type: 'group', id: chat, ...shown } }),
  }
}

/** Returns the role that the power level of a user stands for. */
export function roleIn({ levels }: Room, id: string): 'owner' | 'admin' | 'member' {
  const { users, users_default: other } = levels
  const level = Number((isRecord(users) && Object.hasOwn(users, id) ? users[id] : other) ?? 0)
  if (level >= OWNER_LEVEL) return 'owner'
  return level >= ADMIN_LEVEL ? 'admin' : 'member'
}

/** The rooms of an account: asked for once, then kept by their events. */
export class Rooms {
  readonly #client: () => MatrixClient
  readonly #rooms = new LruMap<string, Promise<Room>>(MAX_ROOMS)

  constructor(client: () => MatrixClient) {
    this.#client = client
  }

  get(id: string): Promise<Room> {
    return this.#rooms.getOrCreate(id, () => {
      const loading = this.#load(id)
      loading.catch(() => this.#rooms.delete(id))
      return loading
    })
  }

  forget(id?: string): void {
    if (id === undefined) this.#rooms.clear()
    else this.#rooms.delete(id)
  }

  /** Takes over what an event of a known room changes. */
  async update(id: string, type: string, key: unknown, content: Record<string, unknown>): Promise<void> {
    const room = await this.#rooms.peek(id)
    if (!room) return
    if (type === 'm.room.name') {
      const name = cut(content['name'])
      if (name === undefined) delete room.name
      else room.name = name
    } else if (type === 'm.room.power_levels') room.levels = content
    else if (typeof key === 'string') {
      const isIn = content['membership'] === 'join'
      // Without all names it cannot be said whether the event changes their number.
      if (room.members > room.names.size) return this.forget(id)
      if (isIn) room.names.set(key, cut(content['displayname']) ?? localpart(key))
      else room.names.delete(key)
      room.members = room.names.size
    }
  }

  async #load(id: string): Promise<Room> {
    const [members = {}, name = {}, levels = {}] = await Promise.all(
      ['joined_members', 'state/m.room.name', 'state/m.room.power_levels'].map((what) =>
        this.#client()
          .get(`${path`/rooms/${id}/`}${what}`)
          .catch((error: unknown): Record<string, unknown> => {
            // The bot may have left meanwhile, and a room may have no name.
            if (error instanceof MatrixError && error.status < 500 && error.status !== 429) return {}
            throw error
          }),
      ),
    )
    const joined = Object.entries(isRecord(members['joined']) ? members['joined'] : {})
    const names = new Map<string, string>()
    for (const [user, profile] of joined.slice(0, MAX_NAMES))
      names.set(user, cut(isRecord(profile) ? profile['display_name'] : undefined) ?? localpart(user))
    const title = cut(name['name'])
    return { id, names, members: joined.length, levels, ...(title === undefined ? {} : { name: title }) }
  }
}
