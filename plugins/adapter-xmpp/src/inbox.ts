import { randomUUID } from 'node:crypto'
import { messageOf as textOf } from '@mynah/kernel'
import { LruMap, omitUndefined, pause } from '@mynah/kernel/util'
import type { Cursors, EndpointHandle, Target } from '@mynah/plugin-chat/api'
import { xml, type Element } from '@xmpp/client'
import { Archive, type Archived } from './archive.js'
import type { XmppConfig } from './config.js'
import { contentOf, idsOf, KnownMessages, messageOf, originOf, type Known, type Origin } from './reader.js'
import { Rooms, type RoomEvent } from './rooms.js'
import { bare, conditionOf, timeOf } from './stanzas.js'
import type { XmppStream } from './stream.js'

const MAX_QUEUED = 5_000
const MAX_REACTED = 1_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
const HOUR_MS = 3_600_000
const DISCO = 'http://jabber.org/protocol/disco#info'
const MAM = 'urn:xmpp:mam:2'

export interface InboxOptions {
  readonly endpoint: EndpointHandle<XmppConfig>
  readonly stream: XmppStream
  readonly me: string
  readonly nick: string
}

/** When and from where a message came. */
interface Arrival {
  readonly archived?: Archived | undefined
  readonly late: boolean
}

/** Takes what a connection delivers, one after another: first what was missed, then what comes. */
export class Inbox {
  readonly rooms: Rooms
  readonly known = new KnownMessages()
  readonly #options: InboxOptions
  readonly #closing = new AbortController()
  /** Archives by their owner. Without one, ids of the archive are not believed. */
  readonly #archives = new Map<string, Archive>()
  readonly #results = new Map<string, (result: Element) => void>()
  readonly #reacted = new LruMap<string, readonly string[]>(MAX_REACTED)
  #tail: Promise<void> = Promise.resolve()
  #queued = 0
  /** How far the clock of this host is ahead of that of the server, in milliseconds. */
  #ahead = 0

  constructor(options: InboxOptions) {
    this.#options = options
    this.rooms = new Rooms(options.stream, options.endpoint.log)
  }

  /**
   * Becomes available, joins the rooms, and takes what was missed before what comes now. The archive is asked last:
   * servers give those who have asked it nothing else of what came before they were available.
   */
  async open(addresses: readonly string[]): Promise<void> {
    const { stream, me } = this.#options
    const missed: (() => Promise<void>)[] = []
    let isOpen = (): void => {}
    const opened = new Promise<void>((resolve) => {
      isOpen = resolve
    })
    this.#enqueue(async () => {
      await opened
      for (const work of missed) await work()
    })
    try {
      await stream.send(xml('presence'))
      // The answer says that the server has taken the presence.
      await this.#compareClocks()
      await this.#openArchive(me, undefined, missed)
      await Promise.all(addresses.map((address) => this.#enter(address, missed)))
    } finally {
      isOpen()
    }
  }

  async #enter(address: string, missed: (() => Promise<void>)[]): Promise<void> {
    const { endpoint, nick } = this.#options
    try {
      await this.rooms.join(address, nick)
      await this.#openArchive(address, address, missed)
    } catch (error) {
      endpoint.log.warn(`failed to join ${address}: ${textOf(error)}`)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#tail
  }

  async #compareClocks(): Promise<void> {
    const { stream, endpoint, me } = this.#options
    const domain = me.split('@')[1] ?? ''
    const iq = xml('iq', { type: 'get', to: domain }, xml('time', { xmlns: 'urn:xmpp:time' }))
    try {
      const utc = (await stream.ask(iq)).getChild('time')?.getChildText('utc')
      const time = timeOf(utc ?? undefined)
      if (time !== undefined) this.#ahead = endpoint.clock.now() - time
    } catch (error) {
      if (conditionOf(error) === undefined) throw error
    }
  }

  /** Adds what an archive has after the stored position to what was missed. */
  async #openArchive(owner: string, room: string | undefined, missed: (() => Promise<void>)[]): Promise<void> {
    const { stream, endpoint } = this.#options
    try {
      const iq = xml('iq', { type: 'get', to: owner }, xml('query', { xmlns: DISCO }))
      const features = (await stream.ask(iq)).getChild('query')?.getChildren('feature') ?? []
      if (!features.some(({ attrs }) => attrs.var === MAM)) return
    } catch (error) {
      if (conditionOf(error) === undefined) throw error
      return
    }
    const archive = new Archive(stream, room, this.#results)
    this.#archives.set(owner, archive)
    const name = `archive ${owner}`
    const since = await endpoint.cursor.get(name)
    // Of an archive that is empty, all that follows is new: the empty position is its beginning.
    if (since === undefined) return endpoint.cursor.set({ [name]: (await archive.newest()) ?? '' })
    missed.push(() => this.#catchUp(archive, name, since))
  }

  async #catchUp(archive: Archive, name: string, since: string): Promise<void> {
    const { endpoint } = this.#options
    try {
      for await (const archived of archive.after(since))
        await this.#accept(() => this.#message(archived.message, { archived, late: true }))
    } catch (error) {
      if (conditionOf(error) !== 'item-not-found') throw error
      endpoint.log.warn('the archive does not keep the last message any more, what was said since is lost')
      await endpoint.cursor.set({ [name]: (await archive.newest()) ?? '' })
    }
  }

  /** Takes a stanza. Results of an archive are not queued, since the work in progress waits for them. */
  take(stanza: Element): void {
    const result = stanza.getChild('result', MAM)
    const from = stanza.attrs.from ?? this.#options.me
    if (result) {
      if (from === this.#options.me || this.#archives.has(from)) this.#results.get(result.attrs.queryid ?? '')?.(result)
      return
    }
    if (stanza.name === 'presence') return this.#presence(stanza)
    this.#reflect(stanza)
    this.#enqueue(() => this.#accept(() => this.#message(stanza, { late: false })))
  }

  #enqueue(work: () => Promise<void>): void {
    const { endpoint } = this.#options
    if (this.#queued >= MAX_QUEUED)
      return endpoint.lost(new Error(`${MAX_QUEUED} messages wait for the store; they come again after reconnecting`))
    this.#queued++
    this.#tail = this.#tail
      .then(() => (this.#closing.signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) endpoint.lost(new Error(`The archive fails: ${textOf(error)}`))
      })
      .finally(() => {
        this.#queued--
      })
  }

  /** Repeats until chat accepts it, or the connection ends. */
  async #accept(work: () => Promise<void>): Promise<void> {
    const { endpoint } = this.#options
    const { signal } = this.#closing
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries === 0) endpoint.log.warn(`failed to accept a message, trying again: ${textOf(error)}`)
        await pause(Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_MAX_MS), endpoint.clock, signal)
      }
    }
  }

  /** An own message that its room passes on is taken. */
  #reflect(stanza: Element): void {
    const origin = this.#originOf(stanza)
    if (!origin?.isOwn || !origin.room || stanza.attrs.id === undefined) return
    this.#options.stream.reflected(stanza.attrs.id, idsOf(stanza, this.#ownerOf(origin)).id)
  }

  #originOf(stanza: Element): Origin | undefined {
    return originOf(stanza, this.#options.me, (address) => this.rooms.get(address))
  }

  #ownerOf({ room }: Origin): string | undefined {
    const owner = room?.address ?? this.#options.me
    return this.#archives.has(owner) ? owner : undefined
  }

  async #message(stanza: Element, { archived, late }: Arrival): Promise<void> {
    const { endpoint } = this.#options
    const origin = stanza.attrs.type === 'error' ? undefined : this.#originOf(stanza)
    if (!origin) return
    const owner = this.#ownerOf(origin)
    const { id: ofArchive, given } = idsOf(stanza, owner, archived?.id)
    const cursor = ofArchive === undefined || owner === undefined ? undefined : { [`archive ${owner}`]: ofArchive }
    const timestamp = this.#timeOf(stanza, archived)
    const fallback = given === undefined ? randomUUID() : `${origin.sender} ${given}`
    const known: Known = {
      id: (origin.isOwn && !origin.room ? given : ofArchive) ?? fallback,
      given,
      sender: origin.sender,
    }
    const isNews = !origin.isOwn && (await this.#news(stanza, origin, known, { timestamp, late, cursor }))
    if (!isNews && cursor) await endpoint.cursor.set(cursor)
  }

  /** Returns when a message was sent, by the clock of this host. */
  #timeOf(stanza: Element, archived: Archived | undefined): number {
    const stamp = archived?.stamp ?? stanza.getChild('delay', 'urn:xmpp:delay')?.attrs.stamp
    const sent = timeOf(stamp)
    return sent === undefined ? this.#options.endpoint.clock.now() : sent + this.#ahead
  }

  /** Reports a message, or a change of one. Returns whether the cursor was written with it. */
  async #news(
    stanza: Element,
    origin: Origin,
    known: Known,
    { timestamp, late, cursor }: { timestamp: number; late: boolean; cursor: Cursors | undefined },
  ): Promise<boolean> {
    const { endpoint, nick } = this.#options
    const options = cursor && { cursor }
    if (await this.#change(stanza, origin, timestamp, options)) return cursor !== undefined
    const content = contentOf(stanza, origin.room?.nick ?? nick, origin.room !== undefined)
    if (!content) return false
    this.known.add(origin.chat, known)
    const answered = stanza.getChild('reply', 'urn:xmpp:reply:0')?.attrs.id
    const replyTo = this.known.get(origin.chat, answered)?.id
    const message = messageOf(origin, known.id, content)
    await endpoint.receive({ ...message, ...omitUndefined({ replyTo }), timestamp, late }, options)
    return cursor !== undefined
  }

  /** Reports a correction, a deletion or reactions. Returns whether the message is one of them. */
  async #change(
    stanza: Element,
    origin: Origin,
    timestamp: number,
    options: { cursor: Cursors } | undefined,
  ): Promise<boolean> {
    const { endpoint, nick } = this.#options
    const { chat, sender, name, room } = origin
    const { channel } = messageOf(origin, 'x', { segments: [], mentioned: false })
    const operator = { id: sender, name }
    const replaced = stanza.getChild('replace', 'urn:xmpp:message-correct:0')
    const retracted = stanza.getChild('retract', 'urn:xmpp:message-retract:1')
    const reactions = stanza.getChild('reactions', 'urn:xmpp:reactions:0')
    const element = replaced ?? retracted ?? reactions
    if (!element) return false
    const target = this.known.get(chat, element.attrs.id)
    if (reactions && target) {
      await this.#reactions(reactions, target.id, { channel, sender: operator, timestamp }, options)
      return true
    }
    // Anybody can name the message of another.
    if (!target || target.sender !== sender) return true
    const content = replaced && contentOf(stanza, room?.nick ?? nick, room !== undefined)
    const change = content ? { content: content.segments } : { deleted: true }
    if (content || retracted)
      await endpoint.changed({ messageId: target.id, channel, operator, timestamp, ...change }, options)
    return true
  }

  /** Reports what has changed in the reactions of a user, who sends all of them each time. */
  async #reactions(
    element: Element,
    messageId: string,
    about: {
      channel: ReturnType<typeof messageOf>['channel']
      sender: { id: string; name: string }
      timestamp: number
    },
    options: { cursor: Cursors } | undefined,
  ): Promise<void> {
    const { endpoint } = this.#options
    const key = `${messageId} ${about.sender.id}`
    const before = this.#reacted.get(key) ?? []
    const all = element.getChildren('reaction').map((each) => each.text().trim().slice(0, 64))
    const now = Array.from(new Set(all.filter((emoji) => emoji !== ''))).slice(0, 32)
    for (const emoji of now.filter((each) => !before.includes(each)))
      await endpoint.reaction({ ...about, messageId, emoji, added: true }, options)
    for (const emoji of before.filter((each) => !now.includes(each)))
      await endpoint.reaction({ ...about, messageId, emoji, added: false }, options)
    this.#reacted.set(key, now)
  }

  #presence(stanza: Element): void {
    const { endpoint } = this.#options
    const { from = '', type } = stanza.attrs
    if (type === 'subscribe') {
      const sender = { id: bare(from) }
      const hour = Math.floor(endpoint.clock.now() / HOUR_MS)
      const request = { id: `${sender.id} ${hour}`, kind: 'friend' as const, sender }
      return this.#enqueue(() => this.#accept(() => endpoint.request(request)))
    }
    const event = this.rooms.presence(stanza)
    if (event) this.#enqueue(() => this.#accept(() => this.#membership(event)))
  }

  async #membership(event: RoomEvent): Promise<void> {
    const { endpoint, me, nick } = this.#options
    const { room } = event
    const who = event.kind === 'removed' ? { nick, address: me } : event.occupant
    await endpoint.notice({
      id: randomUUID(),
      kind: event.kind === 'join' ? 'group-join' : 'group-leave',
      channel: { type: 'group', id: room.address, name: room.address },
      target: { id: who.address ?? `${room.address}/${who.nick}`, name: who.nick },
      payload: {},
    })
  }

  /** Looks in the archive for a message that the bot may have sent. */
  async find({ id, type }: Target, key: string, since: number): Promise<Archived | null | undefined> {
    const archive = this.#archives.get(type === 'private' ? this.#options.me : id)
    // A minute before, since clocks differ.
    return archive?.find(key, since - this.#ahead - 60_000, type === 'private' ? bare(id) : undefined)
  }
}
