import { WireError } from '@mynah/contract'
import { toError } from '@mynah/kernel'
import type {
  Bot,
  CommandMenu,
  EndpointHandle,
  FetchLimits,
  Group,
  Member,
  OutboundMessage,
  Segment,
  Self,
  Target,
} from '@mynah/plugin-chat/api'
import { isOfSlack, SlackApi, SlackError } from './api.js'
import type { SlackConfig } from './config.js'
import { Directory } from './directory.js'
import { emojiName } from './emoji.js'
import { ConfigurationError, connectError, wireError } from './errors.js'
import { Events, type Me } from './events.js'
import { catchUp, missedPlaces, type HistoryOptions } from './history.js'
import { Lanes } from './lanes.js'
import type { Envelope } from './link.js'
import { Positions, type Place } from './positions.js'
import { Sender } from './sender.js'
import { SocketMode } from './socket-mode.js'
import { countOf, fieldsOf, idOf, nameOf, partsOf, textOf } from './wire.js'

/** Time for which a refused token is not tried again, ms. */
const REFUSED_MS = 60_000
const MAX_LISTED = 2_000
/** Members whose names are asked for. */
const MAX_MEMBERS = 200

export class SlackBot implements Bot {
  readonly endpoint: EndpointHandle<SlackConfig>
  readonly #api: SlackApi
  readonly #positions: Positions
  readonly #directory: Directory
  readonly #events: Events
  readonly #sender: Sender
  readonly #lanes = new Lanes()
  #closing = new AbortController()
  #socket: SocketMode | undefined
  #me: Me | undefined
  #prefix = '/'
  #refused: { readonly until: number; readonly error: Error } | undefined

  readonly #hasServer: () => boolean

  constructor(endpoint: EndpointHandle<SlackConfig>, hasServer: () => boolean) {
    this.endpoint = endpoint
    this.#hasServer = hasServer
    this.#api = new SlackApi(endpoint.config, endpoint.signal)
    this.#positions = new Positions(endpoint.cursor)
    this.#directory = new Directory(this.#api)
    this.#sender = new Sender(endpoint, this.#api, this.#directory)
    this.#events = new Events({
      endpoint,
      directory: this.#directory,
      positions: this.#positions,
      lanes: this.#lanes,
      me: () => this.#me ?? { user: '', bot: undefined, team: undefined },
      prefix: () => this.#prefix,
    })
  }

  async connect(): Promise<Self> {
    const { clock, cursor, config } = this.endpoint
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    this.#closing = new AbortController()
    try {
      this.#assertReachable()
      await this.#positions.load()
      this.#prefix = (await cursor.get('prefix')) ?? this.#prefix
      const { user_id: user, bot_id: bot, team_id: team, user: name } = await this.#api.call('auth.test')
      const id = idOf(user)
      if (id === undefined) throw new Error('Slack does not say which user the bot is')
      this.#me = { user: id, bot: idOf(bot), team: idOf(team) }
      const places = await missedPlaces(this.#historyOptions())
      if (config.appToken === undefined) this.#catchUp(places)
      else await this.#open(config.appToken, places)
      const known = nameOf(name)
      return { id, ...(known === undefined ? {} : { name: known }) }
    } catch (failure) {
      throw this.#refuse(connectError(failure))
    }
  }

  #assertReachable(): void {
    const { appToken, signingSecret } = this.endpoint.config
    if (appToken === undefined && signingSecret === undefined)
      throw new ConfigurationError('Set `appToken` for Socket Mode, or `signingSecret` where Slack calls this host')
    if (appToken === undefined && !this.#hasServer())
      throw new ConfigurationError('`signingSecret` needs the plugin http-core: add it, or set `appToken`')
  }

  async #open(appToken: string, places: readonly Place[]): Promise<void> {
    this.#socket = await SocketMode.open({
      clock: this.endpoint.clock,
      signal: this.#closing.signal,
      address: () => socketAddress(this.#api, appToken, this.endpoint.config),
      onOpen: () => this.#catchUp(places),
      onEnvelope: (envelope) => this.#events.take(envelope),
      onLost: (reason) => this.endpoint.lost(this.#refuse(connectError(reason))),
    })
  }

  #historyOptions(): HistoryOptions {
    const { clock, log, cursor } = this.endpoint
    const parts = { api: this.#api, positions: this.#positions, events: this.#events, lanes: this.#lanes }
    return { ...parts, directory: this.#directory, cursor, clock, log, signal: this.#closing.signal }
  }

  #catchUp(places: readonly Place[]): void {
    const options = this.#historyOptions()
    catchUp(options, places).catch((error: unknown) => {
      if (!options.signal.aborted) this.endpoint.lost(connectError(error))
    })
  }

  /** Notes that nothing but a change of the configuration helps. */
  #refuse(error: Error): Error {
    const until = this.endpoint.clock.now() + REFUSED_MS
    if (error instanceof ConfigurationError) this.#refused = { until, error }
    return error
  }

  async disconnect(): Promise<void> {
    this.#closing.abort()
    const socket = this.#socket
    this.#socket = undefined
    await socket?.close()
    await this.#lanes.idle()
  }

  /** Takes a call of Slack. Rejects where Slack has to repeat it. */
  async take(envelope: Envelope): Promise<void> {
    if (!this.#me || this.#closing.signal.aborted) throw new WireError('not_ready', 'The endpoint is not online yet')
    await this.#events.take(envelope)
  }

  send(target: Target, message: OutboundMessage): Promise<{ messageId?: string }> {
    return this.#sender.send(target, message)
  }

  edit(_target: Target, messageId: string, message: OutboundMessage): Promise<void> {
    return this.#sender.edit(messageId, message)
  }

  find(target: Target, key: string, since: number): Promise<{ messageId: string } | null | undefined> {
    return this.#sender.find(target, key, since)
  }

  async recall(_target: Target, messageId: string): Promise<void> {
    await this.#act((api) => api.call('chat.delete', { ...known(messageId) }))
  }

  async react(_target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const { channel, ts: timestamp } = known(messageId)
    const name = emojiName(emoji)
    if (name === undefined)
      throw new WireError('unsupported', `The name of ${emoji.slice(0, 20)} on Slack is not known: use the name`)
    await this.#act(async (api) => {
      try {
        await api.call(isOn ? 'reactions.add' : 'reactions.remove', { channel, timestamp, name })
      } catch (error) {
        const isDone = error instanceof SlackError && error.code === (isOn ? 'already_reacted' : 'no_reaction')
        if (!isDone) throw error
      }
    })
  }

  /** The address of a file is asked for each time: it is given to the bot only. */
  fetchMedia({ data }: Segment, limits: FetchLimits): Promise<Uint8Array> {
    const file = idOf(data.fileId)
    if (file === undefined) return Promise.reject(new WireError('not_found', 'The segment names no file of Slack'))
    return this.#act(async (api) => {
      const {
        mimetype,
        url_private_download: download,
        url_private: view,
      } = fieldsOf((await api.call('files.info', { file })).file)
      const address = textOf(download, 2_048) || textOf(view, 2_048)
      if (!isOfSlack(address, this.endpoint.config.apiRoot))
        throw new WireError('forbidden', 'The file is not on a server of Slack, and is not fetched')
      const { bytes, mime } = await api.download(address, limits)
      if (mime.startsWith('text/html') && mimetype !== 'text/html')
        throw new WireError('forbidden', 'Slack gives a page to log in and not the file: add the scope "files:read"')
      return bytes
    })
  }

  /** Slash commands are in the manifest of the app. This notes the prefix of a command. */
  async commands({ prefix }: CommandMenu): Promise<void> {
    await this.endpoint.cursor.set({ prefix })
    this.#prefix = prefix
  }

  /** Returns the channels that the bot is in. */
  groups(): Promise<Group[]> {
    return this.#act(async () => {
      const rooms = await this.#directory.rooms('public_channel,private_channel,mpim', MAX_LISTED)
      return rooms.map(({ id, name, num_members: count }) => {
        const memberCount = countOf(count)
        const shown = { id: String(id), name: nameOf(name) ?? String(id) }
        return { ...shown, ...(memberCount === undefined ? {} : { memberCount }) }
      })
    })
  }

  groupMembers(groupId: string): Promise<Member[]> {
    return this.#act(async (api) => {
      const { members } = await api.call('conversations.members', { channel: groupId, limit: MAX_MEMBERS })
      const ids = (Array.isArray(members) ? members : []).flatMap((id) => idOf(id) ?? [])
      const found: Member[] = []
      for (const id of ids) found.push({ id, name: (await this.#directory.user(id)).name ?? id, role: 'member' })
      return found
    })
  }

  async #act<T>(work: (api: SlackApi) => Promise<T>): Promise<T> {
    try {
      return await work(this.#api)
    } catch (error) {
      throw wireError(toError(error))
    }
  }
}

function known(messageId: string): { readonly channel: string; readonly ts: string } {
  const parts = partsOf(messageId)
  if (!parts) throw new WireError('not_found', 'Slack does not give this message back')
  return parts
}

/** Asks for the address of a new socket. It holds a ticket. */
export async function socketAddress(api: SlackApi, appToken: string, { apiRoot }: SlackConfig): Promise<string> {
  const url = textOf((await api.call('apps.connections.open', {}, appToken)).url, 4_096)
  if (!/^wss?:/.test(url) || !isOfSlack(url, apiRoot))
    throw new ConfigurationError('The answer has no address of a socket: check `apiRoot`')
  return url
}
