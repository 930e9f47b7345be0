import { randomUUID } from 'node:crypto'
import type { IrcEvent } from 'irc-framework'
import { messageOf } from '@mynah/kernel'
import { HOUR_MS, omitUndefined } from '@mynah/kernel/util'
import { Text, type EndpointHandle, type InboundMessage, type Person } from '@mynah/plugin-chat/api'
import type { IrcConfig } from './config.js'
import type { Connection } from './connection.js'
import type { ChannelMembership } from './channel-membership.js'
import { Mentions, stripFormatting } from './text.js'

const CTCP_EVERY_MS = 2_000
const CTCP_MAX = 64
/** Most events that wait for the store. Only a flood has more. */
const MAX_QUEUED = 1_000
/** Batches in which a bouncer replays old messages, which are not answered. */
const PLAYBACK = new Set(['chathistory', 'znc.in/playback'])

/** Prefix of ids that were made here, since the server gave none. */
export const GENERATED_ID_PREFIX = 'irc-'

type Channel = InboundMessage['channel']

const idOf = ({ tags }: IrcEvent): string => tags?.msgid ?? GENERATED_ID_PREFIX + randomUUID()

function ctcpAnswer(type: string | null | undefined, message: string): string | undefined {
  if (type === 'VERSION') return 'VERSION Mynah'
  return type === 'PING' ? message.slice(0, CTCP_MAX) : undefined
}

/** Passes messages, actions, notices, CTCP requests and invitations to chat. */
export class InboundEvents {
  readonly #connection: Connection
  readonly #membership: ChannelMembership
  readonly #endpoint: EndpointHandle<IrcConfig>
  #mentions = new Mentions('')
  #mentionsOf = ''
  #ctcpAt = 0
  #tail: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(connection: Connection, membership: ChannelMembership, endpoint: EndpointHandle<IrcConfig>) {
    this.#connection = connection
    this.#membership = membership
    this.#endpoint = endpoint
    const { client } = connection
    client.on('privmsg', (event) => this.#onMessage(event, false))
    client.on('action', (event) => this.#onMessage(event, true))
    client.on('notice', (event) => this.#onNotice(event))
    client.on('ctcp request', (event) => this.#onCtcpRequest(event))
    client.on('invite', (event) => this.#onInvite(event))
  }

  /** Returns the channel of an event, or `undefined` where it was not for the bot. */
  #channelOf({ target, group, nick }: IrcEvent): Channel | undefined {
    const { client } = this.#connection
    // Where the sign of a rank is also the first character of channels, the library removes it.
    const [rank, name] =
      group !== undefined && !client.network.isChannelName(target) ? ['', group + target] : [group ?? '', target]
    if (client.network.isChannelName(name)) {
      const known = this.#connection.spelled(this.#membership.channels.nameOf(name))
      return { type: 'group', id: rank + known, name: known }
    }
    return this.#connection.isMe(name) ? { type: 'private', id: this.#connection.spelled(nick), name: nick } : undefined
  }

  #personOf({ nick, tags }: IrcEvent): Person {
    if (this.#endpoint.config.identify !== 'account') return { id: this.#connection.spelled(nick), name: nick }
    const account = tags?.account
    // No account name has this sign, so that a nick cannot pass for an account.
    return { id: account ? this.#connection.spelled(account) : `~${nick}`, name: nick }
  }

  #onMessage(event: IrcEvent, action: boolean): void {
    const { nick, target, tags } = event
    if (event.from_server || !nick || typeof event.message !== 'string') return
    // An echo of the bot itself confirms the line and is never answered.
    if (this.#connection.isMe(nick))
      return this.#connection.receipts.echoed(this.#connection.lower((event.group ?? '') + target), tags?.msgid)
    this.#receive(event, event.message, action)
  }

  #receive(event: IrcEvent, raw: string, action: boolean): void {
    const { nick, tags, time, batch } = event
    const channel = this.#channelOf(event)
    const text = stripFormatting(raw)
    if (!channel || text.trim() === '' || (batch && PLAYBACK.has(batch.type))) return
    const role = channel.type === 'group' ? this.#membership.channels.role(channel.name ?? channel.id, nick) : undefined
    const heard = this.#read(text)
    const message: InboundMessage = {
      id: idOf(event),
      channel,
      sender: { ...this.#personOf(event), ...omitUndefined({ role }) },
      content: action ? [Text(`* ${nick} ${text}`)] : heard.content,
      mentioned: channel.type === 'private' || heard.mentioned,
      ...omitUndefined({ replyTo: tags?.['+draft/reply'] ?? tags?.['+reply'], timestamp: time }),
    }
    this.#enqueue('message', () => this.#endpoint.receive(message))
  }

  #read(text: string): ReturnType<Mentions['read']> {
    const { nick, caseMapping } = this.#connection
    const key = `${nick} ${caseMapping}`
    if (this.#mentionsOf !== key) {
      this.#mentionsOf = key
      this.#mentions = new Mentions(nick, caseMapping)
    }
    return this.#mentions.read(text)
  }

  /** Notices are shown and never answered, so that bots do not answer each other forever. */
  #onNotice(event: IrcEvent): void {
    const { nick, message } = event
    if (event.from_server || !nick || this.#connection.isMe(nick)) return
    const channel = this.#channelOf(event)
    if (!channel) return
    this.#enqueue('notice', () =>
      this.#endpoint.notice({
        id: idOf(event),
        kind: 'notice',
        channel,
        operator: this.#personOf(event),
        payload: { text: stripFormatting(message) },
      }),
    )
  }

  /** Answers CTCP requests, so rarely that the bot cannot be made to flood. */
  #onCtcpRequest({ nick, type, message }: IrcEvent): void {
    const { clock } = this.#endpoint
    const answer = ctcpAnswer(type, message)
    if (answer === undefined || !nick || this.#connection.isMe(nick)) return
    if (clock.now() - this.#ctcpAt < CTCP_EVERY_MS || !this.#connection.queue.free) return
    this.#ctcpAt = clock.now()
    this.#connection.queue.post(`NOTICE ${nick} :\x01${answer.replace(/[\x00\x01\r\n]/g, '')}\x01`)
  }

  #onInvite(event: IrcEvent): void {
    const { nick, channel, invited } = event
    if (!nick || !this.#connection.isMe(invited) || !this.#connection.client.network.isChannelName(channel)) return
    // Repeated invitations by the same user are one request for an hour.
    const hour = Math.floor(this.#endpoint.clock.now() / HOUR_MS)
    this.#enqueue('invitation', () =>
      this.#endpoint.request({
        id: `${channel} ${nick} ${hour}`,
        kind: 'group-invite',
        sender: this.#personOf(event),
        channel: { type: 'group', id: channel, name: channel },
      }),
    )
  }

  /** Stores one event at a time, so that messages keep their order. */
  #enqueue(what: string, keep: () => Promise<void>): void {
    const { log } = this.#endpoint
    if (this.#queued >= MAX_QUEUED) return log.warn(`${what} dropped: ${MAX_QUEUED} others wait for the store`)
    this.#queued++
    this.#tail = this.#tail
      .then(keep)
      .catch((error: unknown) => log.warn(`failed to store a ${what}: ${messageOf(error)}`))
      .finally(() => {
        this.#queued--
      })
  }
}
