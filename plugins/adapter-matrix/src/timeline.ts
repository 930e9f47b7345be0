import { createHash } from 'node:crypto'
import { isRecord } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import type { Channel, Cursors, EndpointHandle, InboundMessage } from '@mynah/plugin-chat/api'
import { MatrixError, path, type MatrixClient } from './client.js'
import type { MatrixConfig } from './config.js'
import type { Direct } from './direct.js'
import { eventOf, isEventId, isUserId, mistakeIn, relationOf, type RoomEvent } from './events.js'
import { heardIn } from './inbound.js'
import { channelIn, partnerIn, personIn, roleIn, type Room, type Rooms } from './rooms.js'

const MAX_KNOWN = 2_000
const UNREADABLE =
  'I cannot read encrypted messages. Please talk to me in a room without encryption.\n' +
  '我无法阅读加密消息。请在未加密的房间里与我交谈。'

/** The parts of an event that later ones need. */
interface Known {
  readonly type: string
  readonly sender: string
  readonly thread: string | undefined
  readonly reaction: { readonly messageId: string; readonly emoji: string } | undefined
}

export interface TimelineOptions {
  readonly endpoint: EndpointHandle<MatrixConfig>
  readonly client: () => MatrixClient
  readonly me: () => string
  readonly rooms: Rooms
  readonly direct: Direct
}

export interface Delivery {
  readonly late: boolean
  /** Written together with what the event is stored as. */
  readonly cursor?: Cursors | undefined
}

/** Passes the events of rooms on to chat. */
export class Timeline {
  readonly #options: TimelineOptions
  readonly #known = new LruMap<string, Known>(MAX_KNOWN)

  constructor(options: TimelineOptions) {
    this.#options = options
  }

  /**
   * Resolves once the event is accepted. One that cannot be parsed is logged, since it would come back forever.
   *
   * @returns whether the cursor was written with it
   */
  async deliver(roomId: string, value: unknown, delivery: Delivery): Promise<boolean> {
    const { endpoint, me, rooms } = this.#options
    const event = eventOf(value, endpoint.clock.now())
    if (!event) {
      endpoint.log.debug('an event without id, type or sender is ignored')
      return false
    }
    if (event.stateKey !== undefined) {
      await rooms.update(roomId, event.type, event.stateKey, event.content)
      if (event.type === 'm.room.member') await this.#membership(roomId, event)
      return false
    }
    this.#remember(event)
    if (event.sender === me() || event.isRedacted) return false
    if (event.type === 'm.room.encrypted') await this.#warnUnreadable(roomId)
    if (event.type === 'm.room.redaction') return this.#redacted(roomId, event, delivery)
    if (event.type === 'm.reaction') return this.#reacted(roomId, event, delivery)
    if (event.type !== 'm.room.message' && event.type !== 'm.sticker') return false
    return relationOf(event).kind === 'm.replace'
      ? this.#edited(roomId, event, delivery)
      : this.#said(roomId, event, delivery)
  }

  #remember({ id, type, sender, content }: RoomEvent): Known {
    const { kind, target, key } = relationOf({ content })
    const isReaction = type === 'm.reaction' && target !== undefined && key !== undefined
    const known: Known = {
      type,
      sender,
      thread: kind === 'm.thread' ? target : undefined,
      reaction: isReaction ? { messageId: target, emoji: key } : undefined,
    }
    this.#known.set(id, known)
    return known
  }

  /** Returns an earlier event, also one from before the start of the host. */
  async #find(roomId: string, id: string): Promise<Known | undefined> {
    const known = this.#known.get(id)
    if (known) return known
    try {
      const event = eventOf(await this.#options.client().get(path`/rooms/${roomId}/event/${id}`), 0)
      return event && this.#remember(event)
    } catch (error) {
      if (error instanceof MatrixError && error.status < 500 && error.status !== 429) return undefined
      throw error
    }
  }

  #channel(room: Room, id: string, thread: string | undefined): Channel {
    const { endpoint, me } = this.#options
    const isAnsweredInThread = endpoint.config.replies === 'thread' && partnerIn(room, me()) === undefined
    return channelIn(room, me(), thread ?? (isAnsweredInThread ? id : undefined))
  }

  /** Whether chat can store it. */
  #isFit(event: RoomEvent, report: object): boolean {
    const mistake = mistakeIn(report)
    if (mistake !== undefined) this.#options.endpoint.log.warn(`failed to parse the event ${event.id}: ${mistake}`)
    return mistake === undefined
  }

  async #said(roomId: string, event: RoomEvent, { late, cursor }: Delivery): Promise<boolean> {
    const { endpoint, rooms, direct, me } = this.#options
    const room = await rooms.get(roomId)
    const heard = heardIn(event, room, me())
    if (!heard) return false
    const { id, sender, content, timestamp } = event
    const partner = partnerIn(room, me())
    const message: InboundMessage = {
      id,
      channel: this.#channel(room, id, this.#known.get(id)?.thread),
      sender: {
        ...personIn(room, sender),
        ...(partner === undefined ? { role: roleIn(room, sender) } : {}),
        ...(content['msgtype'] === 'm.notice' ? { bot: true } : {}),
      },
      content: heard.segments,
      mentioned: heard.mentioned || (heard.replyTo !== undefined && this.#known.get(heard.replyTo)?.sender === me()),
      ...(heard.replyTo === undefined ? {} : { replyTo: heard.replyTo }),
      timestamp,
      late,
    }
    if (!this.#isFit(event, message)) return false
    if (partner === sender) await direct.claim(partner, roomId)
    await endpoint.receive(message, cursor && { cursor })
    return cursor !== undefined
  }

  async #edited(roomId: string, event: RoomEvent, { cursor }: Delivery): Promise<boolean> {
    const { endpoint, rooms, me } = this.#options
    const { target } = relationOf(event)
    const original = target === undefined ? undefined : await this.#find(roomId, target)
    const edited = event.content['m.new_content']
    // Servers pass on edits of the messages of others.
    if (target === undefined || original?.sender !== event.sender || !isRecord(edited)) return false
    const room = await rooms.get(roomId)
    const heard = heardIn(event, room, me(), edited)
    if (!heard) return false
    const change = {
      messageId: target,
      channel: this.#channel(room, target, original.thread),
      content: heard.segments,
      operator: personIn(room, event.sender),
      timestamp: event.timestamp,
    }
    if (!this.#isFit(event, change)) return false
    await endpoint.changed(change, cursor && { cursor })
    return cursor !== undefined
  }

  async #reacted(roomId: string, event: RoomEvent, { cursor }: Delivery): Promise<boolean> {
    const { endpoint, rooms } = this.#options
    const reaction = this.#known.get(event.id)?.reaction
    if (!reaction) return false
    const room = await rooms.get(roomId)
    const original = await this.#find(roomId, reaction.messageId)
    const channel = this.#channel(room, reaction.messageId, original?.thread)
    const report = { ...reaction, channel, sender: personIn(room, event.sender), timestamp: event.timestamp }
    if (!this.#isFit(event, report)) return false
    await endpoint.reaction({ ...report, added: true }, cursor && { cursor })
    return cursor !== undefined
  }

  /** A deleted message, or a reaction that was taken away. */
  async #redacted(roomId: string, { redacts, sender, timestamp }: RoomEvent, { cursor }: Delivery): Promise<boolean> {
    const { endpoint, rooms } = this.#options
    if (!isEventId(redacts)) return false
    const original = await this.#find(roomId, redacts)
    if (!original) return false
    const room = await rooms.get(roomId)
    const { type, reaction, thread } = original
    const operator = personIn(room, sender)
    if (reaction) {
      const about = await this.#find(roomId, reaction.messageId)
      const channel = this.#channel(room, reaction.messageId, about?.thread)
      const by = personIn(room, original.sender)
      await endpoint.reaction({ ...reaction, channel, sender: by, added: false, timestamp }, cursor && { cursor })
    } else if (type === 'm.room.message' || type === 'm.sticker') {
      const channel = this.#channel(room, redacts, thread)
      // The homeserver has checked that the operator may redact it.
      const change = { messageId: redacts, channel, deleted: true, operator, vouched: true, timestamp }
      await endpoint.changed(change, cursor && { cursor })
    } else return false
    return cursor !== undefined
  }

  async #membership(roomId: string, { id, sender, stateKey, content, unsigned, timestamp }: RoomEvent): Promise<void> {
    const { endpoint, rooms, me } = this.#options
    if (!isUserId(stateKey) || stateKey === me()) return
    const before = isRecord(unsigned['prev_content']) ? unsigned['prev_content']['membership'] : undefined
    const isIn = content['membership'] === 'join'
    if (isIn === (before === 'join')) return
    const room = await rooms.get(roomId)
    await endpoint.notice({
      id,
      kind: isIn ? 'group-join' : 'group-leave',
      channel: channelIn(room, me()),
      operator: personIn(room, sender),
      target: personIn(room, stateKey),
      payload: {},
      timestamp,
    })
  }

  /** Says once in a room that the bot cannot read it. */
  async #warnUnreadable(roomId: string): Promise<void> {
    const { endpoint, client } = this.#options
    const name = `unreadable ${roomId}`
    if ((await endpoint.cursor.get(name)) !== undefined) return
    endpoint.log.warn(`the room ${roomId} is encrypted, which this adapter cannot read`)
    const key = createHash('sha256').update(name).digest('hex').slice(0, 32)
    const body = { msgtype: 'm.notice', body: UNREADABLE, 'm.mentions': {} }
    try {
      await client().call('PUT', path`/rooms/${roomId}/send/m.room.message/${key}`, { body })
    } catch (error) {
      endpoint.log.debug(`failed to send a notice to an encrypted room: ${messageOf(error)}`)
    }
    await endpoint.cursor.set({ [name]: '1' })
  }
}
