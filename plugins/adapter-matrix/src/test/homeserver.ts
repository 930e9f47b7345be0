// A homeserver for tests. Its routes, answers and refusals are those that Synapse 1.160 gave.
import { Type } from '@mynah/contract/type'
import { LruMap } from '@mynah/kernel/util'
import { StrictServer, type StrictAnswer, type StrictCall, type StrictRoute } from './strict-server.js'

export const BOT = '@bot:mock.test'
export const ALICE = '@alice:mock.test'
export const PASSWORD = 'correct horse battery'
export const TOKEN = 'syt_the_token_of_the_tests'

/** Events of a room that are kept. The memory of the bot is measured in the same process. */
const KEPT = 400

export interface MockEvent {
  readonly event_id: string
  readonly type: string
  readonly sender: string
  content: Record<string, any>
  readonly state_key?: string
  readonly redacts?: string
  readonly origin_server_ts: number
  unsigned?: Record<string, unknown>
  readonly position: number
}

export interface MockRoom {
  readonly id: string
  readonly members: Map<string, 'join' | 'invite' | 'leave'>
  name: string | undefined
  readonly levels: Record<string, number>
  events: MockEvent[]
  invitedBy: string | undefined
  isEncrypted: boolean
}

const refused = (status: number, errcode: string, error: string): StrictAnswer => ({ status, body: { errcode, error } })
const forbidden = (error: string): StrictAnswer => refused(403, 'M_FORBIDDEN', error)
const open = (properties: object): any => Type.Object(properties as never, { additionalProperties: false })

const Relation = open({
  rel_type: Type.Optional(Type.Enum(['m.thread', 'm.replace', 'm.annotation'])),
  event_id: Type.Optional(Type.String({ pattern: '^\\$' })),
  key: Type.Optional(Type.String()),
  is_falling_back: Type.Optional(Type.Boolean()),
  'm.in_reply_to': Type.Optional(open({ event_id: Type.String({ pattern: '^\\$' }) })),
})
const Mentions = open({
  user_ids: Type.Optional(Type.Array(Type.String({ pattern: '^@[^:]+:.+' }))),
  room: Type.Optional(Type.Boolean()),
})
const message = {
  msgtype: Type.Enum(['m.text', 'm.notice', 'm.image', 'm.video', 'm.audio', 'm.file']),
  body: Type.String({ minLength: 1 }),
  format: Type.Optional(Type.Literal('org.matrix.custom.html')),
  formatted_body: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ pattern: '^mxc://' })),
  info: Type.Optional(open({ mimetype: Type.Optional(Type.String()), size: Type.Optional(Type.Integer()) })),
  'org.matrix.msc3245.voice': Type.Optional(open({})),
  // Without it, clients look for names in the text.
  'm.mentions': Mentions,
  'm.relates_to': Type.Optional(Relation),
}
const Message = open({ ...message, 'm.new_content': Type.Optional(open(message)) })
const Reaction = open({ 'm.relates_to': Relation })

export class Homeserver {
  readonly http: StrictServer
  readonly rooms = new Map<string, MockRoom>()
  readonly files = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
  readonly typing: string[] = []
  accountData: Record<string, unknown> | undefined
  /** Tokens by device. The password makes further ones. */
  readonly tokens = new Map<string, string>([[TOKEN, 'DEVICE']])
  readonly logins: string[] = []
  readonly names = new Map([
    [BOT, 'Mynah'],
    [ALICE, 'Alice'],
  ])
  /** The largest number of events of a room in one answer, whatever the client asks for. */
  maxTimeline = 1_000
  /** Values that the next answers have between the events of rooms. */
  nonsense: unknown[] = []
  #position = 1
  #ids = 0
  readonly #transactions = new LruMap<string, string>(500)
  readonly #waiting = new Set<() => void>()
  /** Called with each event that the bot has sent. */
  onSent: (event: MockEvent, room: MockRoom) => void = () => {}

  constructor() {
    this.http = new StrictServer(this.#routes(), (token) => {
      if (token === undefined) return refused(401, 'M_MISSING_TOKEN', 'Missing access token')
      return this.tokens.has(token) ? undefined : refused(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.')
    })
  }

  static async start(): Promise<Homeserver> {
    const server = new Homeserver()
    await server.http.start()
    return server
  }

  /** Creates a room. Those with a name are groups. */
  room(name?: string, members: readonly string[] = [ALICE, BOT]): MockRoom {
    const id = `!room${++this.#ids}:mock.test`
    const room: MockRoom = {
      id,
      members: new Map(members.map((user) => [user, 'join'])),
      name,
      levels: { [ALICE]: 100 },
      events: [],
      invitedBy: undefined,
      isEncrypted: false,
    }
    this.rooms.set(id, room)
    return room
  }

  /** Adds an event of a user. Returns its id. */
  add(
    room: MockRoom,
    sender: string,
    type: string,
    content: Record<string, any>,
    more: Partial<MockEvent> = {},
  ): string {
    const event: MockEvent = {
      event_id: `$event${++this.#ids}`,
      type,
      sender,
      content,
      origin_server_ts: Date.now(),
      position: ++this.#position,
      ...more,
    }
    room.events.push(event)
    if (room.events.length > KEPT) room.events.splice(0, room.events.length - KEPT)
    this.wake()
    return event.event_id
  }

  say(room: MockRoom, body: string, more: Record<string, unknown> = {}, sender = ALICE): string {
    return this.add(room, sender, 'm.room.message', { msgtype: 'm.text', body, 'm.mentions': {}, ...more })
  }

  /** Delivers the last event again. */
  repeatLast(room: MockRoom): void {
    const last = room.events.pop()
    if (last) room.events.push({ ...last, position: ++this.#position })
    this.wake()
  }

  redact(room: MockRoom, id: string, sender = ALICE): void {
    const target = room.events.find(({ event_id }) => event_id === id)
    const by = this.add(room, sender, 'm.room.redaction', { redacts: id }, { redacts: id })
    if (target) {
      target.content = {}
      target.unsigned = { redacted_because: { event_id: by } }
    }
  }

  invite(room: MockRoom, sender: string, user = BOT): void {
    room.members.set(user, 'invite')
    room.invitedBy = sender
    this.#position++
    this.wake()
  }

  join(room: MockRoom, user: string): void {
    const before = room.members.get(user)
    room.members.set(user, 'join')
    const content = { membership: 'join', displayname: this.names.get(user) ?? user }
    this.add(room, user, 'm.room.member', content, {
      state_key: user,
      unsigned: { prev_content: { membership: before } },
    })
  }

  /** Answers all that wait for events. */
  wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #timeline(room: MockRoom, since: number, limit: number): object {
    const news = room.events.filter(({ position }) => position > since)
    const shown = news.slice(-Math.min(limit, this.maxTimeline))
    const first = shown[0]?.position ?? this.#position
    return {
      timeline: {
        events: shown.map((event) => this.#client(event)),
        limited: shown.length < news.length,
        prev_batch: `s${first - 1}`,
      },
    }
  }

  #client({ position: _, ...event }: MockEvent): object {
    const age = Math.max(0, Date.now() - event.origin_server_ts)
    return { ...event, unsigned: { age, ...event.unsigned } }
  }

  async #sync({ query, gone }: StrictCall): Promise<StrictAnswer> {
    const given = query.get('since')
    const since = given === null ? 0 : Number(/^s(\d+)$/.exec(given)?.[1])
    if (Number.isNaN(since)) return refused(400, 'M_UNKNOWN', 'Invalid stream token')
    const filter = JSON.parse(query.get('filter') ?? '{}') as any
    const limit = Number(filter.room?.timeline?.limit ?? 10)
    if (since >= this.#position && Number(query.get('timeout')) > 0)
      await this.#news(gone, Number(query.get('timeout')))
    const join: Record<string, unknown> = {}
    const invite: Record<string, unknown> = {}
    const leave: Record<string, unknown> = {}
    const put = (room: MockRoom): void => {
      const state = room.members.get(BOT)
      const hasNews = room.events.some(({ position }) => position > since)
      if (state === 'join' && hasNews) join[room.id] = this.#timeline(room, since, limit)
      if (state === 'leave' && hasNews && given !== null) leave[room.id] = this.#timeline(room, since, limit)
      if (state === 'invite') {
        const own = { type: 'm.room.member', state_key: BOT, sender: room.invitedBy, content: { membership: 'invite' } }
        invite[room.id] = { invite_state: { events: [own] } }
      }
    }
    for (const room of this.rooms.values()) put(room)
    for (const value of this.nonsense.splice(0)) {
      const [first] = Object.values(join) as any[]
      if (first) first.timeline.events.unshift(value)
    }
    return {
      body: {
        next_batch: `s${this.#position}`,
        device_one_time_keys_count: { signed_curve25519: 0 },
        rooms: { join, invite, leave },
      },
    }
  }

  async #news(gone: Promise<void>, timeout: number): Promise<void> {
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const timer = setTimeout(wake, timeout)
    this.#waiting.add(wake)
    await Promise.race([woken, gone])
    clearTimeout(timer)
    this.#waiting.delete(wake)
  }

  #messages({ params, query }: StrictCall): StrictAnswer {
    const room = this.rooms.get(params['room'] ?? '')
    const number = (name: string, other: number): number => {
      const value = query.get(name)
      return value === null ? other : Number(/^s(\d+)$/.exec(value)?.[1])
    }
    const from = number('from', 0)
    const to = number('to', Infinity)
    if (Number.isNaN(from) || Number.isNaN(to)) return refused(400, 'M_UNKNOWN', "'from' parameter is invalid")
    if (!room || query.get('dir') !== 'f') return forbidden(`User ${BOT} not in room ${params['room']}`)
    const news = room.events.filter(({ position }) => position > from && position <= to)
    const chunk = news.slice(0, Number(query.get('limit') ?? 10))
    const last = chunk.at(-1)
    return {
      body: {
        chunk: chunk.map((event) => this.#client(event)),
        start: `s${from}`,
        ...(last && chunk.length < news.length ? { end: `s${last.position}` } : {}),
      },
    }
  }

  #send({ params, body, token }: StrictCall): StrictAnswer {
    const room = this.rooms.get(params['room'] ?? '')
    const type = params['type'] ?? ''
    if (room?.members.get(BOT) !== 'join') return forbidden(`User ${BOT} not in room ${params['room']}`)
    if (Buffer.byteLength(JSON.stringify(body)) > 65_000) return refused(413, 'M_TOO_LARGE', 'event too large')
    const key = `${this.tokens.get(token ?? '')} ${params['txn']}`
    const known = this.#transactions.get(key)
    if (known !== undefined) return { body: { event_id: known } }
    const relation = body['m.relates_to']
    const isDouble =
      type === 'm.reaction' &&
      room.events.some(
        ({ sender, content }) =>
          sender === BOT &&
          content['m.relates_to']?.event_id === relation.event_id &&
          content['m.relates_to']?.key === relation.key,
      )
    if (isDouble) return refused(400, 'M_DUPLICATE_ANNOTATION', "Can't send same reaction twice")
    const id = this.add(room, BOT, type, body, { unsigned: { transaction_id: params['txn'] } })
    this.#transactions.set(key, id)
    this.onSent(room.events.at(-1) as MockEvent, room)
    return { body: { event_id: id } }
  }

  #login({ body }: StrictCall): StrictAnswer {
    if (!['bot', BOT].includes(body.identifier.user) || body.password !== PASSWORD)
      return forbidden('Invalid username or password')
    const token = `syt_made_${this.logins.length}`
    this.logins.push(body.device_id)
    this.tokens.set(token, body.device_id)
    return { body: { user_id: BOT, access_token: token, home_server: 'mock.test', device_id: body.device_id } }
  }

  #member(room: string | undefined): MockRoom | undefined {
    const found = this.rooms.get(room ?? '')
    return found?.members.get(BOT) === 'join' ? found : undefined
  }

  /** Returns a route of a room that the bot must be in. */
  #inRoom(route: string, handle: (room: MockRoom, call: StrictCall) => StrictAnswer, more: object = {}): StrictRoute {
    return {
      route,
      ...more,
      handle: (call) => {
        const room = this.#member(call.params['room'])
        return room ? handle(room, call) : forbidden(`User ${BOT} not in room ${call.params['room']}`)
      },
    }
  }

  #routes(): StrictRoute[] {
    const v3 = '/_matrix/client/v3'
    const empty = { body: open({}) }
    return [
      {
        route: `POST ${v3}/login`,
        isOpen: true,
        body: open({
          type: Type.Literal('m.login.password'),
          identifier: open({ type: Type.Literal('m.id.user'), user: Type.String() }),
          password: Type.String(),
          device_id: Type.String(),
          initial_device_display_name: Type.String(),
        }),
        handle: (call) => this.#login(call),
      },
      { route: `POST ${v3}/logout`, ...empty, handle: ({ token }) => (this.tokens.delete(token ?? ''), { body: {} }) },
      {
        route: `GET ${v3}/account/whoami`,
        handle: () => ({ body: { user_id: BOT, is_guest: false, device_id: 'D' } }),
      },
      {
        route: `GET ${v3}/profile/:user`,
        handle: ({ params }) => ({ body: { displayname: this.names.get(params['user'] ?? '') } }),
      },
      {
        route: `GET ${v3}/user/:user/account_data/m.direct`,
        handle: () =>
          this.accountData ? { body: this.accountData } : refused(404, 'M_NOT_FOUND', 'Account data not found'),
      },
      {
        route: `PUT ${v3}/user/:user/account_data/m.direct`,
        body: Type.Record(Type.String(), Type.Array(Type.String())),
        handle: ({ body }) => {
          this.accountData = body
          return { body: {} }
        },
      },
      { route: `GET ${v3}/sync`, query: ['since', 'timeout', 'filter'], handle: (call) => this.#sync(call) },
      {
        route: `GET ${v3}/joined_rooms`,
        handle: () => ({
          body: { joined_rooms: Array.from(this.rooms.keys()).filter((id) => this.#member(id) !== undefined) },
        }),
      },
      {
        route: `POST ${v3}/createRoom`,
        body: open({
          preset: Type.Literal('trusted_private_chat'),
          is_direct: Type.Literal(true),
          invite: Type.Array(Type.String()),
        }),
        handle: ({ body }) => {
          const room = this.room(undefined, [BOT])
          for (const user of body.invite) room.members.set(user, 'invite')
          return { body: { room_id: room.id } }
        },
      },
      {
        route: `POST ${v3}/join/:room`,
        ...empty,
        handle: ({ params }) => {
          const room = this.rooms.get(params['room'] ?? '')
          if (room?.members.get(BOT) !== 'invite') return forbidden('You are not invited to this room.')
          this.join(room, BOT)
          return { body: { room_id: room.id } }
        },
      },
      ...this.#roomRoutes(v3),
      ...this.#mediaRoutes(),
    ]
  }

  #roomRoutes(v3: string): StrictRoute[] {
    const none = refused(404, 'M_NOT_FOUND', 'Event not found.')
    return [
      {
        route: `GET ${v3}/rooms/:room/messages`,
        query: ['dir', 'from', 'to', 'limit'],
        handle: (call) => this.#messages(call),
      },
      {
        route: `PUT ${v3}/rooms/:room/send/m.room.message/:txn`,
        body: Message,
        handle: (call) => this.#typed(call, 'm.room.message'),
      },
      {
        route: `PUT ${v3}/rooms/:room/send/m.reaction/:txn`,
        body: Reaction,
        handle: (call) => this.#typed(call, 'm.reaction'),
      },
      this.#inRoom(`GET ${v3}/rooms/:room/joined_members`, ({ members }) => ({
        body: {
          joined: Object.fromEntries(
            Array.from(members)
              .filter(([, state]) => state === 'join')
              .map(([user]) => [user, { display_name: this.names.get(user) ?? null, avatar_url: null }]),
          ),
        },
      })),
      this.#inRoom(`GET ${v3}/rooms/:room/state/m.room.name`, ({ name }) =>
        name === undefined ? none : { body: { name } },
      ),
      this.#inRoom(`GET ${v3}/rooms/:room/state/m.room.power_levels`, ({ levels }) => ({
        body: { users: levels, users_default: 0, kick: 50 },
      })),
      this.#inRoom(
        `PUT ${v3}/rooms/:room/state/m.room.power_levels`,
        (room, { body }) => {
          Object.assign(room.levels, body.users)
          return { body: { event_id: '$levels' } }
        },
        {
          body: open({
            users: Type.Record(Type.String(), Type.Integer()),
            users_default: Type.Integer(),
            kick: Type.Integer(),
          }),
        },
      ),
      this.#inRoom(`GET ${v3}/rooms/:room/state/m.room.encryption`, ({ isEncrypted }) =>
        isEncrypted ? { body: { algorithm: 'm.megolm.v1.aes-sha2' } } : none,
      ),
      this.#inRoom(`GET ${v3}/rooms/:room/event/:event`, (room, { params }) => {
        const found = room.events.find(({ event_id }) => event_id === params['event'])
        return found ? { body: this.#client(found) } : none
      }),
      this.#inRoom(
        `PUT ${v3}/rooms/:room/redact/:event/:txn`,
        (room, { params }) => {
          this.redact(room, params['event'] ?? '', BOT)
          return { body: { event_id: '$redaction' } }
        },
        { body: open({}) },
      ),
      this.#inRoom(`PUT ${v3}/rooms/:room/typing/:user`, (room) => (this.typing.push(room.id), { body: {} }), {
        body: open({ typing: Type.Boolean(), timeout: Type.Integer() }),
      }),
      this.#inRoom(
        `POST ${v3}/rooms/:room/kick`,
        (room, { body }) =>
          room.levels[BOT] === undefined
            ? forbidden(`You cannot kick user ${body.user_id}.`)
            : (room.members.delete(body.user_id), { body: {} }),
        { body: open({ user_id: Type.String() }) },
      ),
      {
        route: `POST ${v3}/rooms/:room/leave`,
        body: open({}),
        handle: ({ params }) => (this.rooms.get(params['room'] ?? '')?.members.set(BOT, 'leave'), { body: {} }),
      },
      this.#inRoom(
        'GET /_matrix/client/v1/rooms/:room/relations/:event/m.annotation/m.reaction',
        (room, { params }) => ({
          body: {
            chunk: room.events
              .filter(
                ({ type, content }) => type === 'm.reaction' && content['m.relates_to']?.event_id === params['event'],
              )
              .map((event) => this.#client(event)),
          },
        }),
        { query: ['limit'] },
      ),
    ]
  }

  #typed(call: StrictCall, type: string): StrictAnswer {
    return this.#send({ ...call, params: { ...call.params, type } })
  }

  #mediaRoutes(): StrictRoute[] {
    return [
      {
        route: 'POST /_matrix/media/v3/upload',
        query: ['filename'],
        isRaw: true,
        handle: ({ bytes, type }) => {
          if (bytes.length > 1_000_000) return refused(413, 'M_TOO_LARGE', 'Upload request body is too large')
          const id = `file${++this.#ids}`
          this.files.set(id, { bytes, type })
          return { body: { content_uri: `mxc://mock.test/${id}` } }
        },
      },
      {
        route: 'GET /_matrix/client/v1/media/download/:server/:id',
        handle: ({ params }) => {
          const file = this.files.get(params['id'] ?? '')
          return file
            ? { headers: { 'content-type': file.type }, body: file.bytes }
            : refused(404, 'M_NOT_FOUND', 'Not found')
        },
      },
    ]
  }
}
