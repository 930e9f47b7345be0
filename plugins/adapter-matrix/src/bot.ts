import { randomBytes } from 'node:crypto'
import { isRecord, WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import {
  SendError,
  type Bot,
  type EndpointHandle,
  type FetchLimits,
  type Group,
  type Member,
  type OutboundMessage,
  type Segment,
  type Self,
  type Target,
} from '@mynah/plugin-chat/api'
import { MatrixClient, MatrixError, path } from './client.js'
import type { MatrixConfig } from './config.js'
import { Direct } from './direct.js'
import { isTokenRefusal, reasonOf, retryAfterOf, sendErrorOf, wireErrorOf } from './errors.js'
import { isEventId, isRoomId, isUserId } from './events.js'
import { NoAnswerError } from './http.js'
import { contentsOf, MAX_FILE } from './outbound.js'
import { fetchPublic } from './public-fetch.js'
import { partnerIn, roleIn, Rooms } from './rooms.js'
import { CredentialError, deviceOf, logIn, mistakeIn, whoAmI } from './session.js'
import { SILENCE_MS, Sync } from './sync.js'
import { Timeline } from './timeline.js'

/** Time for which a refused login is not tried again, ms. */
const REFUSED_MS = 60_000
const TYPING_MS = 10_000
const MAX_LISTED = 200
const ADMIN_LEVEL = 50

interface Place {
  readonly room: string
  readonly thread: string | undefined
}

export class MatrixBot implements Bot {
  readonly #endpoint: EndpointHandle<MatrixConfig>
  readonly #rooms: Rooms
  readonly #direct: Direct
  readonly #timeline: Timeline
  readonly #silenceMs: number
  #client: MatrixClient | undefined
  #me = ''
  #token: string | undefined
  #running: Promise<unknown> | undefined
  #refused: { readonly until: number; readonly error: Error } | undefined
  /** Makes the keys of edits and other events unique that may be repeated. */
  readonly #run = randomBytes(6).toString('base64url')
  #count = 0

  /** @param silenceMs time for the whole answer to a question for events, in milliseconds */
  constructor(endpoint: EndpointHandle<MatrixConfig>, silenceMs = SILENCE_MS) {
    this.#endpoint = endpoint
    this.#silenceMs = silenceMs
    const client = (): MatrixClient => this.#online()
    const me = (): string => this.#me
    this.#rooms = new Rooms(client)
    this.#direct = new Direct({ client, me, rooms: this.#rooms, log: endpoint.log })
    this.#timeline = new Timeline({ endpoint, client, me, rooms: this.#rooms, direct: this.#direct })
  }

  async connect(): Promise<Self> {
    const { config, clock } = this.#endpoint
    const mistake = mistakeIn(config)
    if (mistake !== undefined) throw new Error(mistake)
    if (this.#refused && clock.now() < this.#refused.until) throw this.#refused.error
    const client = new MatrixClient(config.homeserver)
    this.#client = client
    try {
      const { id, name } = await this.#authenticate(client)
      this.#me = id
      await this.#direct.load()
      const sync = this.#sync(client)
      const first = await sync.open()
      client.signal.throwIfAborted()
      const running = sync.run(first).catch((error: unknown) => {
        throw new Error(reasonOf(error))
      })
      this.#running = running.catch(() => undefined)
      this.#endpoint.during(running)
      return { id, ...(name === undefined ? {} : { name }) }
    } catch (error) {
      client.close()
      if (error instanceof CredentialError) this.#refused = { until: clock.now() + REFUSED_MS, error }
      throw new Error(reasonOf(error))
    }
  }

  async #authenticate(client: MatrixClient): ReturnType<typeof whoAmI> {
    const { config, id } = this.#endpoint
    client.token = config.token ?? this.#token
    if (config.token !== undefined) return whoAmI(client)
    const isOld = client.token !== undefined
    if (!isOld) await logIn(client, config, deviceOf(id))
    this.#token = client.token
    try {
      return await whoAmI(client)
    } catch (error) {
      this.#token = undefined
      if (!isOld || !(error instanceof CredentialError)) throw error
      // The session of the last login has ended.
      return this.#authenticate(client)
    }
  }

  #sync(client: MatrixClient): Sync {
    return new Sync({
      endpoint: this.#endpoint,
      timeline: this.#timeline,
      client,
      me: this.#me,
      silenceMs: this.#silenceMs,
      restarted: () => this.#rooms.forget(),
      invited: (room, state) => this.#invited(room, state),
      left: (room, events) => this.#left(room, events),
      direct: (content) => this.#direct.take(content),
    })
  }

  async disconnect(): Promise<void> {
    this.#client?.close()
    this.#client = undefined
    await this.#running
    this.#running = undefined
  }

  async send(target: Target, { segments, key, replyTo }: OutboundMessage): Promise<{ messageId?: string }> {
    try {
      const client = this.#online()
      const place = await this.#place(target)
      const contents = await this.#contents(client, segments)
      const [first] = contents
      if (!first) throw new SendError('refused', 'The message has nothing that Matrix can show')
      const quoted = replyTo ?? segments.find(({ type }) => type === 'reply')?.data.id
      const relation = relationTo(place, isEventId(quoted) ? quoted : undefined)
      let messageId: string | undefined
      for (const [index, content] of contents.entries()) {
        const related = index === 0 ? relation : relationTo(place, undefined)
        const body = related ? { ...content, 'm.relates_to': related } : content
        // The homeserver takes each key once, so that parts which have arrived are not sent again.
        const id = await this.#put(client, place.room, 'm.room.message', index === 0 ? key : `${key}.${index}`, body)
        messageId ??= id
      }
      return messageId === undefined ? {} : { messageId }
    } catch (error) {
      throw this.#sendError(error)
    }
  }

  /** Replaces the words of a message. */
  async edit(target: Target, messageId: string, { segments }: OutboundMessage): Promise<void> {
    try {
      const client = this.#online()
      const { room } = await this.#place(target)
      if (!isEventId(messageId)) throw new SendError('refused', `"${messageId}" is no message on Matrix`)
      const [content, ...more] = await this.#contents(client, segments)
      if (!content || content['filename'] !== undefined || more.length > 0)
        throw new SendError('refused', 'Only words can take the place of words')
      const shown = { ...content, body: `* ${String(content['body'])}`, 'm.mentions': {} }
      const { formatted_body: html } = content
      await this.#put(client, room, 'm.room.message', this.#nextKey(), {
        ...shown,
        ...(typeof html === 'string' ? { formatted_body: `* ${html}` } : {}),
        'm.new_content': content,
        'm.relates_to': { rel_type: 'm.replace', event_id: messageId },
      })
    } catch (error) {
      throw this.#sendError(error)
    }
  }

  async recall(target: Target, messageId: string): Promise<void> {
    await this.#act(async (client) => {
      const { room } = await this.#place(target)
      await client.call('PUT', path`/rooms/${room}/redact/${messageId}/${this.#nextKey()}`, { body: {} })
    })
  }

  async react(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void> {
    await this.#act(async (client) => {
      const { room } = await this.#place(target)
      if (isOn) {
        const body = { 'm.relates_to': { rel_type: 'm.annotation', event_id: messageId, key: emoji } }
        await this.#put(client, room, 'm.reaction', this.#nextKey(), body).catch((error: unknown) => {
          if (!(error instanceof MatrixError) || error.code !== 'M_DUPLICATE_ANNOTATION') throw error
        })
        return
      }
      const at = path`/_matrix/client/v1/rooms/${room}/relations/${messageId}/m.annotation/m.reaction`
      const { chunk } = await client.get(at, { query: { limit: '500' } })
      for (const reaction of Array.isArray(chunk) ? chunk : []) {
        if (!isRecord(reaction) || reaction['sender'] !== this.#me || !isEventId(reaction['event_id'])) continue
        if (!JSON.stringify(reaction['content'] ?? '').includes(JSON.stringify(emoji))) continue
        await client.call('PUT', path`/rooms/${room}/redact/${reaction['event_id']}/${this.#nextKey()}`, { body: {} })
      }
    })
  }

  async typing(target: Target): Promise<void> {
    await this.#act(async (client) => {
      const { room } = await this.#place(target)
      const body = { typing: true, timeout: TYPING_MS }
      await client.call('PUT', path`/rooms/${room}/typing/${this.#me}`, { body })
    })
  }

  /** Fetches a file through the homeserver. It may redirect to its store, which does not get the token. */
  fetchMedia({ data }: Segment, { maxBytes, signal }: FetchLimits): Promise<Uint8Array> {
    const [, server, id] = /^mxc:\/\/([^\s/]{1,255})\/([\w-]{1,255})$/.exec(String(data.fileId)) ?? []
    if (server === undefined || id === undefined)
      return Promise.reject(new WireError('not_found', 'The segment names no file of Matrix'))
    return this.#act(async (client) => {
      const file = await client
        .download(path`/_matrix/client/v1/media/download/${server}/${id}`, maxBytes, signal)
        .catch((error: unknown) => {
          // Homeservers from before Matrix 1.11.
          if (!(error instanceof MatrixError) || error.code !== 'M_UNRECOGNIZED') throw error
          return client.download(path`/_matrix/media/v3/download/${server}/${id}`, maxBytes, signal)
        })
      if (file instanceof Uint8Array) return file
      const allowsPrivate = this.#endpoint.config.privateMedia === true
      return (await fetchPublic(file.location, { maxBytes, signal, allowsPrivate })).bytes
    })
  }

  groups(): Promise<Group[]> {
    return this.#act(async (client) => {
      const { joined_rooms: joined } = await client.get('/joined_rooms')
      const ids = Array.isArray(joined) ? joined.filter(isRoomId).slice(0, MAX_LISTED) : []
      const rooms = await Promise.all(ids.map((id) => this.#rooms.get(id)))
      return rooms
        .filter((room) => partnerIn(room, this.#me) === undefined)
        .map(({ id, name, members }) => ({ id, name: name ?? id, memberCount: members }))
    })
  }

  groupMembers(groupId: string): Promise<Member[]> {
    return this.#act(async () => {
      const room = await this.#rooms.get(groupId)
      return Array.from(room.names, ([id, name]) => ({ id, name, role: roleIn(room, id) }))
    })
  }

  async groupKick(groupId: string, userId: string): Promise<void> {
    await this.#act((client) => client.call('POST', path`/rooms/${groupId}/kick`, { body: { user_id: userId } }))
  }

  async groupAdmin(groupId: string, userId: string, enable: boolean): Promise<void> {
    await this.#act(async (client) => {
      if (!isUserId(userId)) throw new WireError('not_found', `"${userId}" is no user on Matrix`)
      const at = path`/rooms/${groupId}/state/m.room.power_levels`
      const levels = await client.get(at)
      const users = { ...(isRecord(levels['users']) ? levels['users'] : {}) }
      if (enable) users[userId] = ADMIN_LEVEL
      else delete users[userId]
      await client.call('PUT', at, { body: { ...levels, users } })
    })
  }

  /** Accepts an invitation. */
  async requestApprove(requestId: string): Promise<void> {
    await this.#act((client) => client.call('POST', path`/join/${roomOfRequest(requestId)}`, { body: {} }))
  }

  async requestReject(requestId: string): Promise<void> {
    await this.#act((client) => client.call('POST', path`/rooms/${roomOfRequest(requestId)}/leave`, { body: {} }))
  }

  #online(): MatrixClient {
    if (!this.#client) throw new SendError('offline', 'There is no connection to the homeserver')
    return this.#client
  }

  async #place({ id }: Target): Promise<Place> {
    // `@user:server` or `!room`, and a thread.
    const at = id.indexOf(':$')
    const chat = at < 0 ? id : id.slice(0, at)
    const thread = at < 0 ? undefined : id.slice(at + 1)
    if (at >= 0 && !isEventId(thread)) throw new SendError('refused', `"${id.slice(0, 64)}" is no thread on Matrix`)
    if (isRoomId(chat)) return { room: chat, thread }
    if (!isUserId(chat)) throw new SendError('refused', `"${id.slice(0, 64)}" is no room and no user on Matrix`)
    return { room: await this.#direct.open(chat), thread }
  }

  #contents(client: MatrixClient, segments: readonly Segment[]) {
    const { config, log } = this.#endpoint
    const allowsPrivate = config.privateMedia === true
    return contentsOf(segments, {
      fetch: (address) => fetchPublic(address, { maxBytes: MAX_FILE, allowsPrivate, signal: client.signal }),
      // Nothing was sent yet, so that the whole message can be sent again.
      upload: (bytes, mime, name) =>
        client.upload(bytes, mime, name).catch((error: unknown) => {
          throw error instanceof NoAnswerError ? new NoAnswerError(error.message, false) : error
        }),
      skipped: (reason) => log.warn(`failed to fetch a medium, sending its address: ${reason}`),
    })
  }

  async #put(client: MatrixClient, room: string, type: string, key: string, body: object): Promise<string | undefined> {
    const { event_id: id } = await client.call('PUT', path`/rooms/${room}/send/${type}/${key}`, { body })
    return isEventId(id) ? id : undefined
  }

  #nextKey = (): string => `${this.#run}-${this.#count++}`

  #sendError(error: unknown): Error {
    if (isTokenRefusal(error)) this.#endpoint.lost(new Error(reasonOf(error)))
    return sendErrorOf(error)
  }

  async #act<T>(work: (client: MatrixClient) => Promise<T>): Promise<T> {
    try {
      return await work(this.#online())
    } catch (error) {
      throw error instanceof WireError ? error : wireErrorOf(error)
    }
  }

  async #invited(room: string, state: readonly unknown[]): Promise<void> {
    const { config, log, clock, request } = this.#endpoint
    const invitation = state.find(
      (event) => isRecord(event) && event['type'] === 'm.room.member' && event['state_key'] === this.#me,
    )
    const sender = isRecord(invitation) ? invitation['sender'] : undefined
    if (!isUserId(sender)) return
    const masters = [config.master ?? []].flat()
    const { autoJoin = 'master' } = config
    if (autoJoin !== 'all' && !(autoJoin === 'master' && masters.includes(sender))) {
      const channel = { type: 'group', id: room } as const
      const hour = Math.floor(clock.now() / 3_600_000)
      await request({ id: `${room} ${sender} ${hour}`, kind: 'group-invite', sender: { id: sender }, channel })
      return
    }
    try {
      await this.#online().call('POST', path`/join/${room}`, { body: {} })
    } catch (error) {
      if (retryAfterOf(error) !== undefined || !(error instanceof MatrixError)) throw error
      log.warn(`failed to accept the invitation to ${room}: ${messageOf(error)}`)
    }
  }

  /** The bot left a room, or was removed from it. */
  async #left(room: string, events: readonly unknown[]): Promise<void> {
    this.#rooms.forget(room)
    const own = events.findLast((event) => isRecord(event) && event['state_key'] === this.#me)
    if (!isRecord(own) || !isUserId(own['sender']) || own['sender'] === this.#me || !isEventId(own['event_id'])) return
    await this.#endpoint.notice({
      id: own['event_id'],
      kind: 'group-leave',
      channel: { type: 'group', id: room },
      operator: { id: own['sender'] },
      target: { id: this.#me },
      payload: {},
    })
  }
}

/** Returns what an event says about those that it answers, undefined where it answers none. */
function relationTo({ thread }: Place, replyTo: string | undefined): Record<string, unknown> | undefined {
  const answers = { 'm.in_reply_to': { event_id: replyTo ?? thread } }
  if (thread === undefined) return replyTo === undefined ? undefined : answers
  return { rel_type: 'm.thread', event_id: thread, is_falling_back: replyTo === undefined, ...answers }
}

function roomOfRequest(id: string): string {
  const [room] = id.split(' ')
  if (!isRoomId(room)) throw new WireError('not_found', `No invitation "${id}"`)
  return room
}
