import type { Channel, Cursors, EndpointHandle } from '@mynah/plugin-chat/api'
import { messageOf } from '@mynah/kernel'
import type { DiscordConfig } from './config.js'
import { channelOf, type Directory, type Place } from './directory.js'
import type { Dispatch } from './gateway.js'
import { answeredBy, emojiOf, isWritten, madeAt, segmentsOf, senderOf } from './inbound.js'
import { interactionOf } from './interactions.js'
import type { Positions } from './positions.js'
import { path, type Rest } from './rest.js'
import { fieldsOf, idOf, nameOf, timeOf, type Fields } from './wire.js'

/** An interaction is acknowledged then, stored or not: Discord takes it back after 3 s. */
const ACKNOWLEDGE_MS = 2_000

export interface EventsOptions {
  readonly endpoint: EndpointHandle<DiscordConfig>
  readonly rest: Rest
  readonly directory: Directory
  readonly positions: Positions
  readonly me: () => string
  readonly prefix: () => string
}

/** Reports what the gateway and the history deliver. */
export class Events {
  readonly #options: EventsOptions
  /** How to acknowledge each interaction that waits for the store. */
  readonly #pending = new Map<string, { readonly acknowledge: () => void; readonly cancel: () => void }>()
  #hasWarned = false

  constructor(options: EventsOptions) {
    this.#options = options
  }

  /** Sees to it that an interaction is acknowledged in time, also while others wait for the store. */
  arrive({ type, data }: Dispatch): void {
    const found = type === 'INTERACTION_CREATE' ? interactionOf(data, '') : undefined
    if (!found) return
    const { endpoint, rest } = this.#options
    const acknowledge = (): void => {
      cancel()
      if (!this.#pending.delete(found.id)) return
      rest
        .call('POST', path`/interactions/${found.id}/${found.token}/callback`, found.acknowledgement)
        .catch((error: unknown) => endpoint.log.debug(`failed to acknowledge an interaction: ${messageOf(error)}`))
    }
    const cancel = endpoint.clock.setTimeout(acknowledge, ACKNOWLEDGE_MS)
    this.#pending.set(found.id, { acknowledge, cancel })
  }

  /** Acknowledges nothing more. */
  close(): void {
    for (const { cancel } of this.#pending.values()) cancel()
    this.#pending.clear()
  }

  /** Reports one event. Returns whether its cursors were written. */
  async take({ type, data }: Dispatch, cursors: Cursors): Promise<boolean> {
    switch (type) {
      case 'MESSAGE_CREATE':
        return this.message(data, cursors)
      case 'MESSAGE_UPDATE':
        return this.#edited(data, cursors)
      case 'MESSAGE_DELETE':
        return this.#deleted(data, [data.id], cursors)
      case 'MESSAGE_DELETE_BULK':
        return this.#deleted(data, Array.isArray(data.ids) ? data.ids : [], cursors)
      case 'MESSAGE_REACTION_ADD':
      case 'MESSAGE_REACTION_REMOVE':
        return this.#reaction(data, type.endsWith('ADD'), cursors)
      case 'INTERACTION_CREATE':
        return this.#interaction(data, cursors)
      case 'GUILD_MEMBER_ADD':
      case 'GUILD_MEMBER_REMOVE':
        return this.#member(data, type.endsWith('ADD'))
      default:
        this.#note(type, data)
        return false
    }
  }

  /** Notes which channels there are. */
  #note(type: string, data: Fields): void {
    const { directory } = this.#options
    if (type === 'GUILD_CREATE') directory.takeGuild(data)
    else if (/^(?:CHANNEL|THREAD)_(?:CREATE|UPDATE)$/.test(type)) directory.take(data)
    else if (/^(?:CHANNEL|THREAD)_DELETE$/.test(type)) directory.forget(idOf(data.id) ?? '')
  }

  /** Reports a message. With `late` it comes from the history. */
  async message(data: Fields, cursors: Cursors, isLate = false): Promise<boolean> {
    const { endpoint, positions, me } = this.#options
    const id = idOf(data.id)
    const author = fieldsOf(data.author)
    const sender = senderOf(author, fieldsOf(data.member), author.bot === true || idOf(data.webhook_id) !== undefined)
    const found = await this.#placeOf(data, id)
    if (id === undefined || sender.id === '' || !found) return false
    const written = { ...cursors, ...positions.passMessage(found.id, id) }
    const content = segmentsOf(data)
    if (content.length === 0) this.#warn(data)
    if (sender.id === me() || !isWritten(data) || content.length === 0) return false
    const answered = answeredBy(data)
    const mentions = Array.isArray(data.mentions) ? data.mentions : []
    await endpoint.receive(
      {
        id,
        channel: found.channel,
        sender,
        content,
        mentioned: mentions.some((user) => idOf(fieldsOf(user).id) === me()),
        ...(answered === undefined ? {} : { replyTo: answered }),
        timestamp: timeOf(data.timestamp) ?? madeAt(id),
        ...(isLate ? { late: true } : {}),
      },
      { cursor: written },
    )
    return true
  }

  /** Discord leaves out the content where it may not be read. */
  #warn(data: Fields): void {
    const hasMore = ['embeds', 'components', 'poll'].some((key) => Array.isArray(data[key]) && data[key].length > 0)
    if (this.#hasWarned || hasMore || data.content !== '' || !isWritten(data)) return
    this.#hasWarned = true
    this.#options.endpoint.log.warn(
      'a message has no content: the bot needs `messageContent` in `intents`, and Message Content Intent on the page ' +
        'Bot of the Developer Portal',
    )
  }

  async #edited(data: Fields, cursors: Cursors): Promise<boolean> {
    const { endpoint, me } = this.#options
    const id = idOf(data.id)
    const operator = senderOf(fieldsOf(data.author), fieldsOf(data.member))
    // Discord also updates messages whose links it has fetched.
    const timestamp = timeOf(data.edited_timestamp)
    if (id === undefined || operator.id === '' || operator.id === me() || timestamp === undefined) return false
    const found = await this.#placeOf(data, id)
    const content = segmentsOf(data)
    if (!found || content.length === 0) return false
    const { channel } = found
    await endpoint.changed({ messageId: id, channel, content, operator, timestamp }, { cursor: cursors })
    return true
  }

  async #deleted(data: Fields, ids: readonly unknown[], cursors: Cursors): Promise<boolean> {
    let isWritten = false
    for (const messageId of ids.map(idOf)) {
      const found = await this.#placeOf(data, messageId)
      if (messageId === undefined || !found) continue
      // Discord does not say who has deleted it.
      await this.#options.endpoint.changed(
        { messageId, channel: found.channel, deleted: true, vouched: true },
        { cursor: cursors },
      )
      isWritten = true
    }
    return isWritten
  }

  async #reaction(data: Fields, added: boolean, cursors: Cursors): Promise<boolean> {
    const { endpoint, me } = this.#options
    const messageId = idOf(data.message_id)
    const user = idOf(data.user_id)
    const emoji = emojiOf(fieldsOf(data.emoji))
    if (messageId === undefined || user === undefined || user === me() || emoji === undefined) return false
    const found = await this.#placeOf(data)
    if (!found) return false
    const member = fieldsOf(data.member)
    const sender = senderOf({ ...fieldsOf(member.user), id: user }, member)
    await endpoint.reaction({ messageId, channel: found.channel, sender, emoji, added }, { cursor: cursors })
    return true
  }

  async #interaction(data: Fields, cursors: Cursors): Promise<boolean> {
    const { endpoint, directory, prefix } = this.#options
    const found = interactionOf(data, prefix())
    const member = fieldsOf(data.member)
    const user = fieldsOf(data.user ?? member.user)
    const sender = senderOf(user, member)
    if (!found || sender.id === '') return false
    directory.take(fieldsOf(data.channel), idOf(data.guild_id))
    const place = await this.#placeOf({ ...data, author: user })
    if (!place) return false
    const { id, text, via } = found
    const message = { id, channel: place.channel, sender, content: text, mentioned: true, timestamp: madeAt(id), via }
    await endpoint.receive(message, { cursor: cursors })
    this.#pending.get(id)?.acknowledge()
    return true
  }

  async #member(data: Fields, hasJoined: boolean): Promise<boolean> {
    const guild = idOf(data.guild_id)
    const { id, name } = senderOf(fieldsOf(data.user), data)
    if (guild === undefined || id === '') return false
    await this.#options.endpoint.notice({
      id: `${hasJoined ? 'join' : 'leave'}:${guild}:${id}:${nameOf(data.joined_at) ?? this.#options.endpoint.clock.now()}`,
      kind: hasJoined ? 'group-join' : 'group-leave',
      channel: { type: 'group', id: guild },
      target: { id, ...(name === undefined ? {} : { name }) },
      payload: {},
    })
    return false
  }

  /** Returns where an event happened. A message that is answered in a thread has the channel of that thread. */
  async #placeOf(data: Fields, messageId?: string): Promise<{ id: string; channel: Channel } | undefined> {
    const { endpoint, directory, me } = this.#options
    const id = idOf(data.channel_id)
    if (id === undefined) return undefined
    const author = idOf(fieldsOf(data.author).id)
    const isPrivate = data.guild_id === undefined && author !== undefined && author !== me() && !directory.knows(id)
    const place: Place | undefined = isPrivate ? directory.takePrivate(id, author) : await directory.get(id)
    const isThreaded = endpoint.config.replies === 'thread' && messageId !== undefined
    if (isThreaded && place?.guild !== undefined && place.parent === undefined) {
      const channel = channelOf(messageId, { ...place, parent: id })
      return channel && { id, channel }
    }
    const channel = place && channelOf(id, place)
    return channel && { id, channel }
  }
}
