import { isRecord } from '@mynah/contract'
import { messageOf, type Logger } from '@mynah/kernel'
import { MatrixError, path, type MatrixClient } from './client.js'
import { isRoomId } from './events.js'
import type { Rooms } from './rooms.js'

/** Rooms of a user that are looked at. */
const MAX_ROOMS = 10

export interface DirectOptions {
  readonly client: () => MatrixClient
  readonly me: () => string
  readonly rooms: Rooms
  readonly log: Logger
}

/** Which room a private conversation with a user is in: the homeserver keeps it in the account data `m.direct`. */
export class Direct {
  readonly #options: DirectOptions
  #rooms: Record<string, unknown> = {}
  readonly #invited = new Set<string>()

  constructor(options: DirectOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    const { client, me } = this.#options
    try {
      this.#rooms = await client().get(path`/user/${me()}/account_data/m.direct`)
    } catch (error) {
      if (!(error instanceof MatrixError) || error.status !== 404) throw error
    }
  }

  /** Takes over a change by another client of the account. */
  take(content: unknown): void {
    if (isRecord(content)) this.#rooms = content
  }

  #of(user: string): string[] {
    const rooms = Object.hasOwn(this.#rooms, user) ? this.#rooms[user] : undefined
    return Array.isArray(rooms) ? rooms.filter(isRoomId).slice(0, MAX_ROOMS) : []
  }

  /** Makes the room the one in which a user is answered. */
  async claim(user: string, room: string): Promise<void> {
    const { client, me, log } = this.#options
    const before = this.#of(user)
    if (before[0] === room) return
    this.#rooms = { ...this.#rooms, [user]: [room, ...before.filter((other) => other !== room)] }
    await client()
      .call('PUT', path`/user/${me()}/account_data/m.direct`, { body: this.#rooms })
      .catch((error: unknown) => log.debug(`failed to store the private rooms: ${messageOf(error)}`))
  }

  /** Returns the private room of a user, which is created where there is none. */
  async open(user: string): Promise<string> {
    const { client, me, rooms } = this.#options
    for (const id of this.#of(user)) {
      const { names } = await rooms.get(id)
      if (names.has(user) && names.has(me())) return id
      if (names.size !== 1 || !names.has(me())) continue
      // The user has not joined yet, or has left.
      if (!this.#invited.has(id))
        await client()
          .call('POST', path`/rooms/${id}/invite`, { body: { user_id: user } })
          .catch(ignoreRefusal)
      this.#invited.add(id)
      return id
    }
    const body = { preset: 'trusted_private_chat', is_direct: true, invite: [user] }
    const { room_id: made } = await client().call('POST', '/createRoom', { body })
    if (!isRoomId(made)) throw new Error('The homeserver gives no id of the room that it created')
    this.#invited.add(made)
    await this.claim(user, made)
    return made
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MatrixError) || error.status >= 500) throw error
}
