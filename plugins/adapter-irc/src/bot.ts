import { WireError } from '@mynah/contract'
import {
  renderToPlainText,
  SendError,
  Text,
  type Bot,
  type EndpointHandle,
  type Group,
  type Member,
  type OutboundMessage,
  type Segment,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import type { IrcConfig } from './config.js'
import { Connection } from './connection.js'
import { InboundEvents, GENERATED_ID_PREFIX } from './inbound-events.js'
import { NotWrittenError } from './line-queue.js'
import type { Outcome } from './receipts.js'
import { ChannelMembership } from './channel-membership.js'
import { linesOf } from './text.js'

const LINE_BYTES = 510
/** Longest `user@host` of servers, used until the bot has seen its own. */
const ADDRESS_BYTES = 74
const MAX_LINES = 200

interface Session {
  readonly connection: Connection
  readonly membership: ChannelMembership
}

/** Returns the name if it can be a parameter of a command without starting another one. */
function checkedName(name: string): string {
  if (!/^[^\s\x00-\x1f,:$][^\s\x00-\x1f,]*$/.test(name))
    throw new SendError('refused', `"${name.slice(0, 64)}" is no name on IRC`)
  return name
}

/** Returns segments as text. Mentions are `name: ` at the start and the name elsewhere. */
function textOf(segments: readonly Segment[]): string {
  const shown = segments.filter(({ type }) => type !== 'reply')
  return renderToPlainText(
    shown.map((part, index) => {
      if (part.type !== 'at') return part
      const name = String(part.data.name ?? part.data.id ?? '')
      return Text(index === 0 && shown.length > 1 ? `${name}:` : name)
    }),
  )
}

/** Returns the id of an accepted line. Throws where it was refused or its fate is unknown. */
function idOf(outcome: Outcome | undefined): string | undefined {
  if (outcome?.kind === 'refused') throw new SendError('refused', outcome.reason)
  if (outcome?.kind === 'unknown') throw new Error(outcome.reason)
  return outcome?.kind === 'taken' ? outcome.id : undefined
}

export class IrcBot implements Bot {
  readonly #endpoint: EndpointHandle<IrcConfig>
  /** The configured channels and those with an accepted invitation. */
  readonly #wanted: Set<string>
  #current: Session | undefined
  #online = false

  constructor(endpoint: EndpointHandle<IrcConfig>) {
    this.#endpoint = endpoint
    this.#wanted = new Set(endpoint.config.channels ?? [])
  }

  async connect(): Promise<Self> {
    const connection = new Connection(this.#endpoint)
    const current: Session = { connection, membership: new ChannelMembership(connection, this.#endpoint) }
    new InboundEvents(connection, current.membership, this.#endpoint)
    this.#current = current
    await connection.open((reason) => {
      if (this.#current === current) this.#online = false
      this.#endpoint.lost(reason)
    })
    this.#online = true
    await current.membership.enter(this.#wanted)
    return { id: connection.nick, name: connection.nick }
  }

  async disconnect(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    this.#online = false
    current?.membership.close()
    await current?.connection.close()
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const { connection, membership } = this.#session()
    const to = checkedName(target.id)
    const isChannel = connection.client.network.isChannelName(to)
    if (target.type === 'group' ? !this.#isIn(membership, to) : isChannel)
      throw new SendError(
        'refused',
        target.type === 'group' ? `The bot is not in the channel "${to}"` : `"${to}" is no user`,
      )
    const lines = this.#linesFor(connection, to, textOf(message.segments))
    if (lines.length === 0) throw new SendError('refused', 'The message has no text')
    if (lines.length > MAX_LINES)
      throw new SendError(
        'refused',
        `The message takes ${lines.length} lines; IRC is no place for more than ${MAX_LINES}`,
      )
    const [first = '', ...others] = lines
    // If the first line is refused, the others are not sent.
    const id = idOf(await this.#say(connection, to, this.#replyTag(connection, message.replyTo) + first, true))
    const outcomes = await Promise.all(others.map((line) => this.#say(connection, to, line, false)))
    for (const outcome of outcomes) idOf(outcome)
    return id === undefined ? {} : { messageId: id }
  }

  /** Sends one line. Returns its outcome where the server reports it. */
  async #say(connection: Connection, to: string, line: string, first: boolean): Promise<Outcome | undefined> {
    let outcome: Promise<Outcome> | undefined
    try {
      await connection.queue.put(line, () => {
        outcome = connection.receipts.expect(connection.lower(to), connection.echoes)
      })
      if (!connection.echoes) connection.receipts.fence()
    } catch (error) {
      if (error instanceof NotWrittenError && first) throw new SendError('offline', error.message, { cause: error })
      throw error
    }
    return outcome
  }

  #linesFor({ nick, address }: Connection, to: string, text: string): string[] {
    const limit =
      LINE_BYTES -
      Buffer.byteLength(`:${nick}!@ PRIVMSG ${to} :`) -
      (address === undefined ? ADDRESS_BYTES : Buffer.byteLength(address))
    // Removes CTCP marks, so that no text can make the bot send a CTCP request.
    const clean = text.replaceAll('\x01', '')
    const action = /^\/me\s+(?=\S)/.exec(clean)
    const ends: [string, string] = action ? ['\x01ACTION ', '\x01'] : ['', '']
    return linesOf(action ? clean.slice(action[0].length) : clean, limit - ends.join('').length).map(
      (line) => `PRIVMSG ${to} :${ends[0]}${line}${ends[1]}`,
    )
  }

  /** Returns the tag of the answered message, where the server supports it. */
  #replyTag(connection: Connection, replyTo: string | undefined): string {
    if (replyTo === undefined || replyTo.startsWith(GENERATED_ID_PREFIX) || !/^[^\s;\\\x00-\x1f]{1,128}$/.test(replyTo))
      return ''
    return connection.client.network.cap.isEnabled('message-tags') ? `@+draft/reply=${replyTo} ` : ''
  }

  groups(): Promise<Group[]> {
    const { connection, membership } = this.#session()
    return Promise.resolve(
      membership.channels.list().map(({ name, size }) => ({ id: connection.spelled(name), name, memberCount: size })),
    )
  }

  groupMembers(groupId: string): Promise<Member[]> {
    const { connection, membership } = this.#session()
    const members = membership.channels.members(groupId)
    return members
      ? Promise.resolve(members.map((member) => ({ ...member, id: connection.spelled(member.id) })))
      : Promise.reject(new WireError('not_found', `The bot is not in the channel "${groupId}"`))
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    const { connection } = this.#member(groupId, userId)
    await connection.ask(
      `KICK ${groupId} ${userId}`,
      groupId,
      ({ command, params }) =>
        command === 'KICK' && connection.same(params[0] ?? '', groupId) && connection.same(params[1] ?? '', userId),
    )
  }

  async groupAdmin(groupId: string, userId: string, enable: boolean): Promise<void> {
    const { connection, membership } = this.#member(groupId, userId)
    // Without a change the server sends no answer.
    if ((membership.channels.role(groupId, userId) === 'admin') === enable) return
    await connection.ask(
      `MODE ${groupId} ${enable ? '+' : '-'}o ${userId}`,
      groupId,
      ({ command, params }) => command === 'MODE' && connection.same(params[0] ?? '', groupId),
    )
  }

  /** Accepts an invitation: joins the channel, now and after each reconnect. */
  async requestApprove(requestId: string): Promise<void> {
    const { connection, membership } = this.#session()
    const [channel = ''] = requestId.split(' ')
    if (!connection.client.network.isChannelName(channel))
      throw new WireError('not_found', `No invitation "${requestId}"`)
    await membership.join(checkedName(channel))
    this.#wanted.add(channel)
  }

  /** Forgets the invitation. IRC has no way to decline. */
  requestReject(): Promise<void> {
    return Promise.resolve()
  }

  #session(): Session {
    if (!this.#online || !this.#current) throw new SendError('offline', 'There is no connection to the server')
    return this.#current
  }

  #isIn(membership: ChannelMembership, to: string): boolean {
    return membership.channels.has(to) || membership.channels.has(to.slice(1))
  }

  #member(groupId: string, userId: string): Session {
    const live = this.#session()
    checkedName(groupId)
    checkedName(userId)
    if (live.membership.channels.role(groupId, userId) === undefined)
      throw new WireError('not_found', `No "${userId}" in a channel "${groupId}" where the bot is`)
    return live
  }
}
