import type { Channel, EndpointHandle, InboundMessage } from '@mynah/plugin-chat/api'
import type { SlackConfig } from './config.js'
import { isDirect, type Directory } from './directory.js'
import { emojiOf } from './emoji.js'
import { isWritten, mentionedIn, mentions, rawTextOf, segmentsOf } from './inbound.js'
import { interactionOf } from './interactions.js'
import type { Lanes } from './lanes.js'
import type { Envelope } from './link.js'
import type { Positions } from './positions.js'
import { fieldsOf, idOf, listOf, messageIdOf, nameOf, textOf, timeOf, tsOf, type Fields } from './wire.js'

/** Names of this many mentioned users are asked for. */
const MAX_NAMES = 10

/** The account of the bot. */
export interface Me {
  readonly user: string
  readonly bot: string | undefined
  readonly team: string | undefined
}

export interface EventsOptions {
  readonly endpoint: EndpointHandle<SlackConfig>
  readonly directory: Directory
  readonly positions: Positions
  readonly lanes: Lanes
  readonly me: () => Me
  readonly prefix: () => string
}

interface Origin {
  readonly channel: string
  readonly ts?: string | undefined
  readonly thread?: string | undefined
  /** The user that has caused the event. */
  readonly user?: string | undefined
}

/** Reports what sockets, calls and the history deliver. */
export class Events {
  readonly #options: EventsOptions

  constructor(options: EventsOptions) {
    this.#options = options
  }

  /** Reports what an envelope has. Resolves when it may be acknowledged. */
  async take(envelope: Envelope): Promise<void> {
    const { payload, type } = envelope
    if (!this.#isOwn(payload)) return
    if (type !== 'events_api') return this.#interaction(envelope)
    const event = fieldsOf(payload.event)
    const channel = idOf(event.channel) ?? idOf(fieldsOf(event.item).channel)
    if (channel !== undefined) await this.#options.lanes.run(channel, () => this.#event(event, channel))
  }

  /** An app that is installed in several workspaces gets the events of all over each of its sockets. */
  #isOwn({ authorizations, team_id: from, team }: Fields): boolean {
    const { team: own } = this.#options.me()
    const teams = listOf(authorizations).map(({ team_id: id }) => id)
    const known = teams.length > 0 ? teams : [from ?? fieldsOf(team).id]
    return own === undefined || known.every((id) => idOf(id) === undefined) || known.includes(own)
  }

  async #event(event: Fields, channel: string): Promise<void> {
    if (event.type === 'reaction_added' || event.type === 'reaction_removed') return this.#reaction(event, channel)
    if (event.type !== 'message') return
    if (event.subtype === 'message_changed') return this.#changed(event, channel)
    if (event.subtype === 'message_deleted') return this.#deleted(event, channel)
    await this.message(event, channel)
  }

  /** Reports a message. With `isLate` it comes from the history. */
  async message(data: Fields, channel: string, isLate = false): Promise<void> {
    const { endpoint, positions, me, directory } = this.#options
    const ts = tsOf(data.ts)
    if (ts === undefined) return
    const user = idOf(data.user)
    const { thread, place } = await this.#placeOf({ channel, ts, thread: tsOf(data.thread_ts), user })
    const sender = await this.#senderOf(data)
    for (const id of mentionedIn(data).slice(0, MAX_NAMES)) await directory.user(id)
    const content = segmentsOf(data, (id) => directory.nameOf(id))
    if (!this.#isBot(data) && isWritten(data) && content.length > 0 && place && sender) {
      const cursor = positions.with(channel, ts, thread)
      const answered = tsOf(data.thread_ts)
      const message: InboundMessage = {
        id: messageIdOf(channel, ts),
        channel: place,
        sender,
        content,
        mentioned: mentions(data, me().user),
        ...(answered === undefined || answered === ts ? {} : { replyTo: messageIdOf(channel, answered) }),
        timestamp: timeOf(ts),
        ...(isLate ? { late: true } : {}),
      }
      await endpoint.receive(message, { cursor })
    }
    positions.pass(channel, ts, thread)
  }

  #isBot({ user, bot_id: bot }: Fields): boolean {
    const me = this.#options.me()
    return user === me.user || (me.bot !== undefined && bot === me.bot)
  }

  async #senderOf(data: Fields): Promise<InboundMessage['sender'] | undefined> {
    const id = idOf(data.user) ?? idOf(data.bot_id)
    if (id === undefined) return undefined
    const isUser = idOf(data.user) !== undefined
    const user = isUser ? await this.#options.directory.user(id) : {}
    const name = user.name ?? nameOf(data.username, fieldsOf(data.bot_profile).name)
    const isBot = user.isBot === true || idOf(data.bot_id) !== undefined
    return {
      id,
      ...(name === undefined ? {} : { name }),
      ...(user.locale ? { locale: user.locale } : {}),
      ...(isBot ? { bot: true } : {}),
    }
  }

  /** Slack also changes messages whose links it has fetched, or that got an answer. */
  async #changed(event: Fields, channel: string): Promise<void> {
    const message = fieldsOf(event.message)
    if (message.subtype === 'tombstone') return this.#deleted({ ...event, deleted_ts: message.ts }, channel)
    const ts = tsOf(message.ts)
    const edited = fieldsOf(message.edited)
    const isSame = rawTextOf(message) === rawTextOf(event.previous_message)
    if (ts === undefined || this.#isBot(message) || tsOf(edited.ts) === undefined || isSame) return
    const user = idOf(message.user)
    const { place } = await this.#placeOf({ channel, ts, thread: tsOf(message.thread_ts), user })
    const operator = await this.#senderOf({ ...message, user: idOf(edited.user) ?? user })
    const content = segmentsOf(message, (id) => this.#options.directory.nameOf(id))
    if (!place || !operator || content.length === 0) return
    const timestamp = timeOf(edited.ts as string)
    await this.#options.endpoint.changed({
      messageId: messageIdOf(channel, ts),
      channel: place,
      content,
      operator,
      timestamp,
    })
  }

  async #deleted(event: Fields, channel: string): Promise<void> {
    const ts = tsOf(event.deleted_ts)
    const before = fieldsOf(event.previous_message)
    if (ts === undefined || this.#isBot(before)) return
    const { place } = await this.#placeOf({ channel, ts, thread: tsOf(before.thread_ts), user: idOf(before.user) })
    if (!place) return
    // Slack does not say who has deleted it.
    await this.#options.endpoint.changed({
      messageId: messageIdOf(channel, ts),
      channel: place,
      deleted: true,
      vouched: true,
    })
  }

  async #reaction(event: Fields, channel: string): Promise<void> {
    const { type, ts } = fieldsOf(event.item)
    const known = tsOf(ts)
    const user = idOf(event.user)
    const name = textOf(event.reaction, 100)
    if (type !== 'message' || known === undefined || user === undefined || name === '' || this.#isBot(event)) return
    // Slack does not name the thread.
    const { place } = await this.#placeOf({ channel, user })
    const sender = await this.#senderOf({ user })
    if (!place || !sender) return
    const added = event.type === 'reaction_added'
    const reaction = { messageId: messageIdOf(channel, known), channel: place, sender, emoji: emojiOf(name), added }
    await this.#options.endpoint.reaction(reaction)
  }

  async #interaction(envelope: Envelope): Promise<void> {
    const { endpoint, prefix, lanes } = this.#options
    const found = interactionOf(envelope, prefix(), endpoint.clock.now())
    if (!found) return
    await lanes.run(found.channel, async () => {
      const { place } = await this.#placeOf(found)
      const sender = await this.#senderOf({ user: found.user, username: found.name })
      if (!place || !sender) return
      const { id, text, via } = found
      await endpoint.receive({ id, channel: place, sender, content: text, mentioned: true, via })
    })
  }

  /** Returns where an event happened. A message that is answered in a thread has the channel of that thread. */
  async #placeOf({
    channel,
    ts,
    thread,
    user,
  }: Origin): Promise<{ thread?: string | undefined; place?: Channel | undefined }> {
    const { directory, endpoint, me } = this.#options
    const isOpened = endpoint.config.replies !== 'channel' && !isDirect(channel)
    const opened = isOpened ? ts : undefined
    const inner = thread !== undefined && thread !== ts ? thread : opened
    if (isDirect(channel)) {
      const isPartner = user !== undefined && user !== me().user && user !== 'USLACKBOT'
      const room = isPartner ? directory.takeDirect(channel, user) : await directory.room(channel)
      const { user: partner } = room
      if (partner === undefined) return { thread: inner }
      return { thread: inner, place: { type: 'private', id: inner === undefined ? partner : `${partner}:${inner}` } }
    }
    const { name } = await directory.room(channel)
    const named = name === undefined ? {} : { name }
    if (inner === undefined) return { place: { type: 'group', id: channel, ...named } }
    const parent = { type: 'group' as const, id: channel, ...named }
    return { thread: inner, place: { type: 'group', id: `${channel}:${inner}`, ...named, parent } }
  }
}
