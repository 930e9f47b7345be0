import { systemClock, type Logger } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { xml, type Element } from '@xmpp/client'
import { bare, isAddress, MUC, MUC_USER, resourceOf } from './stanzas.js'
import { errorIn, type XmppStream } from './stream.js'

const JOIN_MS = 15_000
const MAX_OCCUPANTS = 5_000

interface Occupant {
  readonly nick: string
  /** Address of the user, where the room shows it. */
  readonly address: string | undefined
  readonly role: 'owner' | 'admin' | 'member'
}

export interface Room {
  readonly address: string
  nick: string
  readonly occupants: Map<string, Occupant>
  isJoined: boolean
}

/** A user came to a room or left it, or the bot was removed. */
export type RoomEvent =
  | { readonly kind: 'join' | 'leave'; readonly room: Room; readonly occupant: Occupant }
  | { readonly kind: 'removed'; readonly room: Room }

function occupantOf(presence: Element, nick: string): Occupant {
  const item = presence.getChild('x', MUC_USER)?.getChild('item')
  const { affiliation, role, jid } = item?.attrs ?? {}
  const isAdmin = affiliation === 'admin' || role === 'moderator'
  const other = isAdmin ? 'admin' : 'member'
  return {
    nick,
    address: jid && isAddress(jid) ? bare(jid) : undefined,
    role: affiliation === 'owner' ? 'owner' : other,
  }
}

/** The rooms that a connection has joined, with who is in them. */
export class Rooms {
  readonly #stream: XmppStream
  readonly #rooms = new Map<string, Room>()
  readonly #joining = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>()
  readonly #log: Logger

  constructor(stream: XmppStream, log: Logger) {
    this.#stream = stream
    this.#log = log
  }

  get(address: string): Room | undefined {
    return this.#rooms.get(address)
  }

  list(): Room[] {
    return Array.from(this.#rooms.values()).filter(({ isJoined }) => isJoined)
  }

  /** Joins a room, under another name where the wanted one is taken. A new room gets its default settings. */
  async join(address: string, nick: string): Promise<Room> {
    const room: Room = { address, nick, occupants: new Map(), isJoined: false }
    this.#rooms.set(address, room)
    const joined = new Promise<void>((resolve, reject) => this.#joining.set(address, { resolve, reject }))
    joined.catch(() => undefined)
    try {
      // Earlier messages come from the archive.
      const history = xml('history', { maxstanzas: '0' })
      await this.#stream.send(xml('presence', { to: `${address}/${nick}` }, xml('x', { xmlns: MUC }, history)))
      await withTimeout(systemClock, JOIN_MS, () => joined, { message: 'the room does not answer' })
      return room
    } catch (error) {
      if ((error as Error).message.startsWith('conflict') && nick.length < 64)
        return await this.join(address, `${nick}_`)
      throw error
    } finally {
      this.#joining.delete(address)
    }
  }

  /** Takes a presence of a room. Returns the event that it is, undefined for one of something else. */
  presence(stanza: Element): RoomEvent | undefined {
    const { from = '', type } = stanza.attrs
    const room = this.#rooms.get(bare(from))
    if (!room) return undefined
    const statuses = stanza.getChild('x', MUC_USER)?.getChildren('status') ?? []
    const codes = statuses.map(({ attrs }) => attrs.code)
    if (type === 'error') this.#joining.get(room.address)?.reject(new Error(errorIn(stanza)))
    else if (type === 'unavailable') return this.#left(room, stanza, codes)
    else return this.#came(room, stanza, codes)
    return undefined
  }

  #left(room: Room, stanza: Element, codes: readonly (string | undefined)[]): RoomEvent | undefined {
    const nick = resourceOf(stanza.attrs.from ?? '')
    const occupant = room.occupants.get(nick) ?? occupantOf(stanza, nick)
    room.occupants.delete(nick)
    // 303: the user goes on under another name.
    const isRenamed = codes.includes('303')
    if (nick !== room.nick && !codes.includes('110'))
      return room.isJoined && !isRenamed ? { kind: 'leave', room, occupant } : undefined
    if (isRenamed) return undefined
    room.isJoined = false
    return { kind: 'removed', room }
  }

  #came(room: Room, stanza: Element, codes: readonly (string | undefined)[]): RoomEvent | undefined {
    const nick = resourceOf(stanza.attrs.from ?? '')
    const occupant = occupantOf(stanza, nick)
    const isNew = !room.occupants.has(nick)
    if (room.occupants.size < MAX_OCCUPANTS) room.occupants.set(nick, occupant)
    const isSelf = codes.includes('110')
    if (isSelf) this.#entered(room, nick, codes.includes('201'))
    return isNew && room.isJoined && !isSelf ? { kind: 'join', room, occupant } : undefined
  }

  #entered(room: Room, nick: string, isCreated: boolean): void {
    room.nick = nick
    room.isJoined = true
    const joining = this.#joining.get(room.address)
    if (!isCreated) return joining?.resolve()
    // The room is locked until its creator accepts the settings.
    const form = xml('x', { xmlns: 'jabber:x:data', type: 'submit' })
    this.#stream
      .ask(xml('iq', { type: 'set', to: room.address }, xml('query', { xmlns: `${MUC}#owner` }, form)))
      .catch(() => this.#log.warn(`the new room ${room.address} cannot be opened`))
      .finally(() => joining?.resolve())
  }
}
