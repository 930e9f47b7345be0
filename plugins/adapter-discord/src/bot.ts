import { WireError } from '@mynah/contract'
import {
  SendError,
  type Bot,
  type ChannelItem,
  type CommandMenu,
  type EndpointHandle,
  type Group,
  type Member,
  type OutboundMessage,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { Answers } from './answers.js'
import { API_ROOT, intentsOf, type DiscordConfig } from './config.js'
import { Directory, hasText } from './directory.js'
import { ConfigurationError, connectError, sendError, wireError } from './errors.js'
import { Events } from './events.js'
import { Gateway, gatewayAddress, type Dispatch } from './gateway.js'
import { catchUp } from './history.js'
import { bodyOf, compose, nonceOf, type Composed } from './outbound.js'
import { Positions, type Session } from './positions.js'
import { DiscordError, path, Rest } from './rest.js'
import { slashCommands } from './slash.js'
import { countOf, fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

/** Time for which a refused login is not tried again, ms. */
const REFUSED_MS = 60_000
/** Events without a row after which the position is written. */
const WRITE_EVERY = 100
const MAX_MEMBERS = 1_000
/** `channel`, `channel:thread`, or a user. */
const TARGET = /^(\d{1,20})(?::(\d{1,20}))?$/
const THREAD_EXISTS = 160_004

export class DiscordBot implements Bot {
  readonly #endpoint: EndpointHandle<DiscordConfig>
  readonly #positions: Positions
  readonly #directory: Directory
  readonly #events: Events
  readonly #answers: Answers
  readonly #rest: Rest
  #gateway: Gateway | undefined
  #closing = new AbortController()
  #me = ''
  #prefix = '/'
  /** Whether the last attempt did not reach the address for resuming. */
  #hasFailed = false
  #unwritten = 0
  #refused: { readonly until: number; readonly error: Error } | undefined

  constructor(endpoint: EndpointHandle<DiscordConfig>) {
    this.#endpoint = endpoint
    const rest = new Rest(endpoint.config, endpoint.clock, endpoint.signal)
    this.#rest = rest
    this.#positions = new Positions(endpoint.cursor)
    this.#directory = new Directory(rest)
    this.#answers = new Answers(rest)
    this.#events = new Events({
      endpoint,
      rest,
      positions: this.#positions,
      directory: this.#directory,
      me: () => this.#me,
      prefix: () => this.#prefix,
    })
  }

  async connect(): Promise<Self> {
    const { clock, cursor } = this.#endpoint
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    this.#closing = new AbortController()
    try {
      await this.#positions.load()
      this.#prefix = (await cursor.get('prefix')) ?? this.#prefix
      const me = fieldsOf(await this.#rest.get('/users/@me'))
      this.#me = idOf(me.id) ?? ''
      const name = nameOf(me.global_name, me.username)
      await this.#open()
      return { id: this.#me, ...(name === undefined ? {} : { name }) }
    } catch (failure) {
      const error = connectError(failure)
      if (error instanceof ConfigurationError) this.#refused = { until: clock.now() + REFUSED_MS, error }
      throw error
    }
  }

  async #open(): Promise<void> {
    const { config, clock } = this.#endpoint
    const known = this.#positions.session
    const url = known && !this.#hasFailed ? known.url : await this.#gatewayOf()
    this.#hasFailed = true
    this.#gateway = await Gateway.open({
      url: gatewayAddress(url, config.apiRoot ?? API_ROOT),
      clock,
      token: config.token,
      intents: intentsOf(config),
      signal: this.#closing.signal,
      session: () => this.#positions.session,
      forget: () => {
        this.#positions.session = undefined
      },
      onArrival: (event) => this.#events.arrive(event),
      onDispatch: (event) => this.#take(event),
      onLost: (reason) => this.#lost(reason),
    })
    this.#hasFailed = false
  }

  /** Discord allows so many logins a day. */
  async #gatewayOf(): Promise<string> {
    const { url, session_start_limit: limit } = fieldsOf(await this.#rest.get('/gateway/bot'))
    const { remaining, reset_after: wait } = fieldsOf(limit)
    const minutes = Math.ceil((countOf(wait) ?? 0) / 60_000)
    if (remaining === 0 && !this.#positions.session)
      throw new ConfigurationError(
        `The bot has used all its logins of a day; Discord takes the next in ${minutes} minutes`,
      )
    return textOf(url, 2_048)
  }

  #lost(reason: Error): void {
    if (reason instanceof ConfigurationError)
      this.#refused = { until: this.#endpoint.clock.now() + REFUSED_MS, error: reason }
    this.#endpoint.lost(reason)
  }

  async #take(event: Dispatch): Promise<void> {
    const { cursor } = this.#endpoint
    if (event.type === 'READY') return this.#begin(event)
    const session = this.#positions.session
    if (!session) return
    const next = { ...session, sequence: event.sequence }
    const isWritten = await this.#events.take(event, this.#positions.at(next))
    this.#positions.session = next
    this.#unwritten = isWritten ? 0 : this.#unwritten + 1
    if (this.#unwritten < WRITE_EVERY && event.type !== 'RESUMED') return
    await cursor.set(this.#positions.at(next))
    this.#unwritten = 0
  }

  /** Begins a session. It can be resumed once everything from before it is received. */
  async #begin({ data, sequence }: Dispatch): Promise<void> {
    const { clock, log, cursor } = this.#endpoint
    const id = textOf(data.session_id, 256)
    const session: Session = { id, url: textOf(data.resume_gateway_url, 2_048), sequence }
    for (const guild of listOf(data.guilds)) this.#directory.takeGuild(guild)
    await catchUp({
      rest: this.#rest,
      directory: this.#directory,
      positions: this.#positions,
      events: this.#events,
      clock,
      log,
      signal: this.#closing.signal,
    })
    this.#positions.session = session
    await cursor.set(this.#positions.at(session))
  }

  async disconnect(): Promise<void> {
    this.#events.close()
    this.#closing.abort()
    const gateway = this.#gateway
    this.#gateway = undefined
    await gateway?.close()
  }

  async send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    const { key, via, only, segments } = message
    const replyTo = message.replyTo ?? segments.find(({ type }) => type === 'reply')?.data.id
    try {
      const composed = await compose(segments)
      const answered =
        via && (await this.#answers.send(composed, { key, via, ...(only === undefined ? {} : { only }) }))
      const place: Target = only === undefined ? target : { type: 'private', id: only }
      const messageId = answered ?? (await this.#post(place, composed, { key, replyTo }))
      return messageId === undefined ? {} : { messageId }
    } catch (error) {
      throw sendError(error)
    }
  }

  async #post(
    target: Target,
    composed: Composed,
    { key, replyTo }: { readonly key: string; readonly replyTo: unknown },
  ): Promise<string | undefined> {
    const channel = await this.#channelOf(target)
    // The first message of a thread is in another channel.
    const quoted = target.id.endsWith(`:${String(replyTo)}`) ? undefined : idOf(replyTo)
    const reference =
      quoted === undefined ? {} : { message_reference: { message_id: quoted, fail_if_not_exists: false } }
    const body = bodyOf(composed, { nonce: nonceOf(key), enforce_nonce: true, ...reference })
    return idOf(fieldsOf(await this.#rest.call('POST', path`/channels/${channel}/messages`, body)).id)
  }

  /** Returns the channel of Discord. A thread that the bot answers in begins with its first answer. */
  async #channelOf({ type, id }: Target): Promise<string> {
    const [, channel, thread] = TARGET.exec(id) ?? []
    if (channel === undefined)
      throw new SendError('refused', `"${id.slice(0, 64)}" is no channel, thread or user of Discord`)
    if (type === 'private') {
      const found = await this.#directory.openPrivate(channel)
      if (found === undefined) throw new SendError('refused', 'Discord opens no private channel with this user')
      return found
    }
    if (thread === undefined) return channel
    if (this.#endpoint.config.replies === 'thread' && !this.#directory.knows(thread))
      await this.#startThread(channel, thread)
    return thread
  }

  async #startThread(channel: string, message: string): Promise<void> {
    try {
      const at = path`/channels/${channel}/messages/${message}/threads`
      this.#directory.take(fieldsOf(await this.#rest.call('POST', at, { name: 'Reply' })))
    } catch (error) {
      // It exists already, or it is a thread without a first message.
      if (!(error instanceof DiscordError) || (error.code !== THREAD_EXISTS && error.status !== 404)) throw error
      await this.#directory.get(message)
    }
  }

  /** Replaces a message. Its files stay. */
  async edit(target: Target, messageId: string, { segments }: OutboundMessage): Promise<void> {
    try {
      const channel = await this.#channelOf(target)
      const body = bodyOf(await compose(segments), {})
      await this.#rest.call('PATCH', path`/channels/${channel}/messages/${messageId}`, body)
    } catch (error) {
      throw sendError(error)
    }
  }

  async recall(target: Target, messageId: string): Promise<void> {
    await this.#act(async (rest) =>
      rest.call('DELETE', path`/channels/${await this.#placeOf(target, messageId)}/messages/${messageId}`),
    )
  }

  async react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    await this.#act(async (rest) => {
      const channel = await this.#placeOf(target, messageId)
      const at = path`/channels/${channel}/messages/${messageId}/reactions/${emoji}/@me`
      await rest.call(isOn ? 'PUT' : 'DELETE', at.replace('%40me', '@me'))
    })
  }

  async typing(target: Target): Promise<void> {
    await this.#act(async (rest) => {
      const thread = TARGET.exec(target.id)?.[2]
      // A sign of typing opens no thread: it is shown where the message is.
      const isOpen = thread === undefined || this.#directory.knows(thread)
      const channel = isOpen ? await this.#channelOf(target) : (target.id.split(':')[0] as string)
      await rest.call('POST', path`/channels/${channel}/typing`)
    })
  }

  /** The first message of a thread is in the channel that the thread is in. */
  async #placeOf(target: Target, messageId: string): Promise<string> {
    const [, channel, thread] = TARGET.exec(target.id) ?? []
    return channel !== undefined && thread === messageId ? channel : this.#channelOf(target)
  }

  async commands(menu: CommandMenu): Promise<void> {
    const { config, cursor } = this.#endpoint
    await cursor.set({ prefix: menu.prefix })
    this.#prefix = menu.prefix
    const { slash = 'none', applicationId } = config
    if (slash === 'none') return
    await this.#act(async (rest) => {
      const application = applicationId ?? idOf(fieldsOf(await rest.get('/applications/@me')).id) ?? this.#me
      const where = slash === 'global' ? '' : path`/guilds/${slash}`
      await rest.call('PUT', `${path`/applications/${application}`}${where}/commands`, slashCommands(menu))
    })
  }

  /** Returns the servers of the bot. */
  groups(): Promise<Group[]> {
    return this.#act(async (rest) =>
      listOf(await rest.get('/users/@me/guilds')).flatMap(({ id, name }) =>
        idOf(id) === undefined ? [] : [{ id: String(id), name: nameOf(name) ?? String(id) }],
      ),
    )
  }

  channels(guildId?: string): Promise<ChannelItem[]> {
    return this.#act(async (rest) => {
      const guilds = guildId === undefined ? (await this.groups()).map(({ id }) => id) : [guildId]
      const lists = await Promise.all(guilds.map((id) => rest.get(path`/guilds/${id}/channels`)))
      return lists.flatMap((list, index) => {
        const parent = { type: 'guild' as const, id: guilds[index] as string }
        return listOf(list)
          .filter(hasText)
          .map(({ id, name }) => ({ id: idOf(id) ?? '', name: nameOf(name) ?? '', parent }))
      })
    })
  }

  groupMembers(groupId: string): Promise<Member[]> {
    return this.#act(async (rest) => {
      const { owner_id: owner } = fieldsOf(await rest.get(path`/guilds/${groupId}`))
      const members = listOf(await rest.get(`${path`/guilds/${groupId}`}/members?limit=${MAX_MEMBERS}`))
      return members.flatMap((member) => memberOf(member, owner))
    })
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    await this.#act((rest) => rest.call('DELETE', path`/guilds/${groupId}/members/${userId}`))
  }

  async groupMute(groupId: string, userId: string, seconds: number): Promise<void> {
    const until = seconds > 0 ? new Date(this.#endpoint.clock.now() + 1_000 * seconds).toISOString() : null
    const body = { communication_disabled_until: until }
    await this.#act((rest) => rest.call('PATCH', path`/guilds/${groupId}/members/${userId}`, body))
  }

  async #act<T>(work: (rest: Rest) => Promise<T>): Promise<T> {
    try {
      return await work(this.#rest)
    } catch (error) {
      if (error instanceof SendError) throw new WireError('not_found', error.message)
      throw wireError(error)
    }
  }
}

function memberOf({ user, nick }: Fields, owner: unknown): Member[] {
  const { id, global_name: name, username } = fieldsOf(user)
  const known = idOf(id)
  if (known === undefined) return []
  return [{ id: known, name: nameOf(nick, name, username) ?? known, role: known === owner ? 'owner' : 'member' }]
}
