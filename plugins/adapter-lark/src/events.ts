import { LruMap } from '@mynah/kernel/util'
import type { EndpointHandle, InboundMessage } from '@mynah/plugin-chat/api'
import type { LarkConfig } from './config.js'
import { emojiOf } from './emoji.js'
import { messageOf, openIdOf, timeOf } from './inbound.js'
import { path, type Rest } from './rest.js'
import { fieldsOf, idOf, listOf, textOf, type Fields } from './wire.js'

const MAX_KNOWN = 2_000
/** Bots may press no buttons, so that the command of a button is never empty. */
const MAX_COMMAND = 2_000

type Channel = InboundMessage['channel']

/** Passes the events of Lark on. */
export class Events {
  readonly #endpoint: EndpointHandle<LarkConfig>
  readonly #rest: Rest
  readonly #me: () => string
  /** The channel of each chat that something was said in. Events about messages name the chat only. */
  readonly #channels = new LruMap<string, Channel>(MAX_KNOWN)
  /** The chat of messages of the bot. */
  readonly #chats = new LruMap<string, string>(MAX_KNOWN)

  constructor(endpoint: EndpointHandle<LarkConfig>, rest: Rest, me: () => string) {
    this.#endpoint = endpoint
    this.#rest = rest
    this.#me = me
  }

  /** Notes where a message of the bot has gone. */
  sent(messageId: string, chat: unknown, { type, id, parent }: Channel): void {
    const known = idOf(chat)
    if (known === undefined) return
    this.#chats.set(messageId, known)
    this.#channels.set(known, parent?.type === 'group' ? { type: 'group', id: parent.id } : { type, id })
  }

  /** Takes an event. Resolves when it is stored. */
  async take({ header, event }: Fields): Promise<void> {
    const { event_type: type, event_id: id } = fieldsOf(header)
    const about = fieldsOf(event)
    switch (type) {
      case 'im.message.receive_v1':
        return this.#message(about)
      case 'im.message.recalled_v1':
        return this.#recalled(about)
      case 'im.message.reaction.created_v1':
        return this.#reaction(about, true)
      case 'im.message.reaction.deleted_v1':
        return this.#reaction(about, false)
      case 'card.action.trigger':
        return this.#pressed(about, idOf(id))
    }
  }

  async #message(event: Fields): Promise<void> {
    const message = messageOf(event, this.#me())
    if (!message) return
    const chat = textOf(fieldsOf(event.message).chat_id, 256)
    const { channel } = message
    this.#channels.set(chat, channel.parent ? { type: 'group', id: chat } : channel)
    await this.#endpoint.receive(message)
  }

  #channelOf(chat: unknown): Channel | undefined {
    const id = idOf(chat)
    return id === undefined ? undefined : (this.#channels.get(id) ?? { type: 'group', id })
  }

  async #recalled({ message_id: id, chat_id: chat, recall_time: time }: Fields): Promise<void> {
    const messageId = idOf(id)
    const channel = this.#channelOf(chat)
    if (messageId === undefined || !channel) return
    const timestamp = timeOf(time)
    await this.#endpoint.changed({
      messageId,
      channel,
      deleted: true,
      ...(timestamp === undefined ? {} : { timestamp }),
    })
  }

  async #reaction(event: Fields, added: boolean): Promise<void> {
    const messageId = idOf(event.message_id)
    const user = openIdOf(event.user_id)
    const name = textOf(fieldsOf(event.reaction_type).emoji_type, 64)
    if (messageId === undefined || user === undefined || user === this.#me() || name === '') return
    const channel = this.#channelOf(await this.#chatOf(messageId))
    if (!channel) return
    await this.#endpoint.reaction({ messageId, channel, sender: { id: user }, emoji: emojiOf(name), added })
  }

  async #chatOf(messageId: string): Promise<unknown> {
    const known = this.#chats.get(messageId)
    if (known !== undefined) return known
    const { items } = await this.#rest.call('GET', path`/messages/${messageId}`)
    return listOf(items)[0]?.chat_id
  }

  async #pressed({ operator, action, context }: Fields, id: string | undefined): Promise<void> {
    const user = openIdOf(operator)
    const command = textOf(fieldsOf(fieldsOf(action).value).command, MAX_COMMAND)
    const { open_chat_id: chat, open_message_id: card } = fieldsOf(context)
    const channel = this.#channelOf(chat)
    if (id === undefined || user === undefined || command === '' || !channel) return
    const replyTo = idOf(card)
    await this.#endpoint.receive({
      id: `press:${id}`,
      channel,
      content: command,
      sender: { id: user },
      mentioned: true,
      ...(replyTo === undefined ? {} : { replyTo }),
    })
  }
}
