// Discord as its documents describe it: REST over StrictServer, and a gateway. It refuses what Discord refuses.
import { WebSocketServer, type WebSocket } from 'ws'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { StrictServer, type StrictRequest, type StrictRoute } from '@mynah/plugin-chat/testing'

type Json = Record<string, unknown>

export const ALICE = '1000000000000000001'
export const BOB = '1000000000000000002'
export const GUILD = '2000000000000000001'
export const ROOM = '3000000000000000001'
export const PRIVATE = '3000000000000000099'
export const TOKEN = 'token-of-the-bot-of-the-tests.1'
const API = '/api/v10'
const KEPT_EVENTS = 200
const KEPT_MESSAGES = 400
const EPOCH_MS = 1_420_070_400_000

export interface BotAccount {
  readonly token: string
  readonly id: string
  readonly guild: string
}

interface Session {
  readonly id: string
  readonly events: { readonly s: number; readonly frame: Json }[]
  sequence: number
  socket: WebSocket | undefined
}

export interface Sent {
  readonly id: string
  readonly channel: string
  text: string
  readonly body: Json
  readonly files: readonly Buffer[]
  readonly quotes: unknown
}

const Snowflake = Type.String({ pattern: '^\\d{1,20}$' })
const closed = { additionalProperties: false }
const Button = Type.Union([
  Type.Object(
    {
      type: Type.Literal(2),
      style: Type.Literal(5),
      label: Type.String({ minLength: 1, maxLength: 80 }),
      url: Type.String({ maxLength: 512 }),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal(2),
      style: Type.Integer({ minimum: 1, maximum: 4 }),
      label: Type.String({ minLength: 1, maxLength: 80 }),
      custom_id: Type.String({ minLength: 1, maxLength: 100 }),
    },
    closed,
  ),
])
const Message = Type.Object(
  {
    content: Type.Optional(Type.String()),
    embeds: Type.Optional(Type.Array(Type.Object({}), { maxItems: 10 })),
    components: Type.Optional(
      Type.Array(
        Type.Object({ type: Type.Literal(1), components: Type.Array(Button, { minItems: 1, maxItems: 5 }) }, closed),
        { maxItems: 5 },
      ),
    ),
    allowed_mentions: Type.Object(
      {
        parse: Type.Array(Type.Enum(['everyone', 'users', 'roles'])),
        users: Type.Array(Snowflake, { maxItems: 100 }),
        replied_user: Type.Boolean(),
      },
      closed,
    ),
    nonce: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
    enforce_nonce: Type.Optional(Type.Boolean()),
    flags: Type.Optional(Type.Integer()),
    message_reference: Type.Optional(
      Type.Object({ message_id: Snowflake, fail_if_not_exists: Type.Literal(false) }, closed),
    ),
    attachments: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), filename: Type.String() }, closed))),
  },
  closed,
)

/** Returns the message of a request, which is a form where it has files. */
function messageIn({ body }: StrictRequest): { message: Json; files: FormData | undefined } {
  if (!(body instanceof FormData)) return { message: (body ?? {}) as Json, files: undefined }
  return { message: JSON.parse(String(body.get('payload_json'))) as Json, files: body }
}

/** Rules that Discord's schema does not have. */
function ruleOf(request: StrictRequest): string | undefined {
  const { message, files } = messageIn(request)
  const wrong = mistakesIn(Message, message).map(({ path, message: what }) => `${path} ${what}`)
  if (wrong.length > 0) return wrong.join('; ')
  const { content = '', embeds = [], components = [], attachments = [], nonce, enforce_nonce: enforced } = message
  if ([...(content as string)].length > 2_000) return 'content is longer than 2,000 characters'
  const listed = [embeds, components, attachments] as readonly unknown[][]
  if ((content as string).trim() === '' && listed.every(({ length }) => length === 0)) return 'the message is empty'
  if (enforced === true && nonce === undefined) return 'enforce_nonce without a nonce'
  const ids = (components as { components: Json[] }[]).flatMap((row) => row.components.map((one) => one.custom_id))
  const known = ids.filter((id) => id !== undefined)
  if (new Set(known).size !== known.length) return 'custom_id is not unique'
  const count = files ? Array.from(files.keys()).filter((key) => key.startsWith('files[')).length : 0
  return count === listed[2]?.length ? undefined : 'the attachments are not those of the form'
}

function textOf({ content = '', embeds = [] }: Json): string {
  const shown = (embeds as Json[]).flatMap(({ title, description }) => [title, description])
  return [content, ...shown].filter((part) => typeof part === 'string' && part !== '').join('\n')
}

export class DiscordServer {
  http!: StrictServer
  readonly #gateway = new WebSocketServer({ noServer: true })
  readonly #sessions = new Map<string, Session>()
  readonly accounts: readonly BotAccount[]
  readonly channels = new Map<string, Json>()
  /** Messages of users and bots, as Discord describes them. */
  readonly messages: Json[] = []
  readonly sent: Sent[] = []
  readonly #byNonce = new Map<string, Json>()
  readonly reactions = new Map<string, Set<string>>()
  readonly typing = new Set<string>()
  /** Callbacks of interactions, and the messages of their webhooks. */
  readonly callbacks: { readonly id: string; readonly type: number }[] = []
  readonly answers: { readonly kind: 'first' | 'followup' | 'deleted'; readonly body: Json }[] = []
  readonly logins: ('identify' | 'resume')[] = []
  commands: unknown
  /** Closes the next logins with this code. */
  closeWith: number | undefined
  /** Flags of the application. */
  flags = 1 << 18
  permissions = String(1n << 3n)
  early = 0
  #limit: { ms: number; until: number; now: () => number } | undefined
  #isMute = false
  #last: { type: string; data: Json } = { type: 'MESSAGE_CREATE', data: {} }
  #ids = 0

  constructor(accounts: readonly BotAccount[] = [{ token: TOKEN, id: '4000000000000000001', guild: GUILD }]) {
    this.accounts = accounts
    for (const [index, { guild }] of accounts.entries()) {
      const id = String(BigInt(ROOM) + BigInt(index))
      this.channels.set(id, { id, type: 0, guild_id: guild, name: `room-${index}` })
    }
    this.channels.set(PRIVATE, { id: PRIVATE, type: 1, recipients: [{ id: ALICE, username: 'alice' }] })
  }

  async listen(): Promise<this> {
    this.#gateway.on('connection', (socket: WebSocket) => this.#welcome(socket))
    this.http = await StrictServer.start({
      routes: Object.fromEntries(
        Object.entries(this.#routes()).map(([name, route]) => [name.replace(' ', ` ${API}`), route]),
      ),
      authorize: ({ headers }) =>
        this.#accountOf(headers.authorization?.replace('Bot ', ''))
          ? undefined
          : { status: 401, body: { message: '401: Unauthorized', code: 0 } },
      upgrade: (request, socket, head) =>
        this.#gateway.handleUpgrade(request, socket, head, (opened) => this.#gateway.emit('connection', opened)),
    })
    return this
  }

  get apiRoot(): string {
    return `${this.http.url}${API}`
  }

  get #address(): string {
    return this.http.url.replace('http', 'ws')
  }

  newId(): string {
    return String((BigInt(Date.now() - EPOCH_MS) << 22n) | BigInt(++this.#ids & 0x3fffff))
  }

  #accountOf(token: unknown): BotAccount | undefined {
    return this.accounts.find((account) => account.token === token)
  }

  #me({ headers }: StrictRequest): BotAccount {
    return this.#accountOf(headers.authorization?.replace('Bot ', '')) as BotAccount
  }

  #routes(): Record<string, StrictRoute> {
    const found = (request: StrictRequest): Json | undefined =>
      this.messages.find(({ id }) => id === request.params.message)
    const unknown = { status: 404, body: { message: 'Unknown Message', code: 10_008 } }
    return {
      'GET /users/@me': { answer: (request) => ({ body: this.#userOf(this.#me(request).id, true) }) },
      'GET /applications/@me': { answer: (request) => ({ body: { id: this.#me(request).id, flags: this.flags } }) },
      'GET /users/@me/guilds': {
        answer: (request) => ({ body: [{ id: this.#me(request).guild, name: 'Home', permissions: this.permissions }] }),
      },
      'GET /gateway/bot': {
        answer: () => ({
          body: {
            url: this.#address,
            shards: 1,
            session_start_limit: { total: 1_000, remaining: 999, reset_after: 0 },
          },
        }),
      },
      'POST /users/@me/channels': {
        body: Type.Object({ recipient_id: Snowflake }),
        answer: () => ({ body: this.channels.get(PRIVATE) }),
      },
      'GET /channels/:channel': {
        answer: ({ params }) => {
          const body = this.channels.get(params.channel ?? '')
          return body ? { body } : { status: 404, body: { message: 'Unknown Channel', code: 10_003 } }
        },
      },
      'GET /channels/:channel/messages': {
        query: Type.Object({ after: Snowflake, limit: Type.String({ pattern: '^(?:[1-9]\\d?|100)$' }) }),
        answer: ({ params, query }) => ({
          body: this.messages
            .filter((one) => one.channel_id === params.channel && BigInt(String(one.id)) > BigInt(query.after ?? 0))
            .slice(0, Number(query.limit))
            .map(({ guild_id: _, member: __, ...one }) => one)
            .reverse(),
        }),
      },
      'POST /channels/:channel/messages': { rule: ruleOf, answer: (request) => this.#post(request) },
      'PATCH /channels/:channel/messages/:message': {
        rule: ruleOf,
        answer: (request) => {
          const own = this.sent.find(({ id }) => id === request.params.message)
          if (own) own.text = textOf(messageIn(request).message)
          return own ? { body: { id: own.id } } : unknown
        },
      },
      'DELETE /channels/:channel/messages/:message': {
        answer: (request) => (found(request) ? { status: 204 } : unknown),
      },
      'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': {
        answer: ({ params }) => {
          const of = this.reactions.get(params.message ?? '') ?? new Set()
          this.reactions.set(params.message ?? '', of.add(params.emoji ?? ''))
          return { status: 204 }
        },
      },
      'DELETE /channels/:channel/messages/:message/reactions/:emoji/@me': {
        answer: ({ params }) => {
          this.reactions.get(params.message ?? '')?.delete(params.emoji ?? '')
          return { status: 204 }
        },
      },
      'POST /channels/:channel/typing': {
        answer: ({ params }) => {
          this.typing.add(params.channel ?? '')
          return { status: 204 }
        },
      },
      'POST /channels/:channel/messages/:message/threads': {
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
        answer: ({ params }) => ({ status: 201, body: this.openThread(params.channel ?? '', params.message) }),
      },
      'GET /guilds/:guild/channels': {
        answer: ({ params }) => ({
          body: [...this.channels.values()].filter((channel) => channel.guild_id === params.guild),
        }),
      },
      'PUT /applications/:application/commands': {
        answer: ({ body }) => {
          this.commands = body
          return { body: [] }
        },
      },
      ...this.#interactionRoutes(),
    }
  }

  #interactionRoutes(): Record<string, StrictRoute> {
    const noted = (kind: 'first' | 'followup', request: StrictRequest) => {
      const { message } = messageIn(request)
      this.answers.push({ kind, body: message })
      return { body: { id: this.newId() } }
    }
    return {
      'POST /interactions/:id/:token/callback': {
        body: Type.Object({ type: Type.Enum([5, 6] as never) }),
        answer: ({ params, body }) => {
          this.callbacks.push({ id: params.id ?? '', type: (body as { type: number }).type })
          return { status: 204 }
        },
      },
      'GET /webhooks/:application/:token/messages/@original': {
        answer: () => ({ body: { id: '1', flags: this.answers.length === 0 ? 1 << 7 : 0 } }),
      },
      'PATCH /webhooks/:application/:token/messages/@original': {
        rule: ruleOf,
        answer: (request) => noted('first', request),
      },
      'DELETE /webhooks/:application/:token/messages/@original': {
        answer: () => {
          this.answers.push({ kind: 'deleted', body: {} })
          return { status: 204 }
        },
      },
      'POST /webhooks/:application/:token': {
        query: Type.Object({ wait: Type.Literal('true') }),
        rule: ruleOf,
        answer: (request) => noted('followup', request),
      },
    }
  }

  async #post(request: StrictRequest) {
    const refused = this.#limited()
    if (refused) return refused
    const { message, files } = messageIn(request)
    const channel = request.params.channel ?? ''
    const nonce = message.nonce === undefined ? undefined : `${channel}:${String(message.nonce)}`
    const known = nonce === undefined ? undefined : this.#byNonce.get(nonce)
    if (known) return { body: known }
    const bytes = Array.from(files?.entries() ?? []).flatMap(([key, value]) =>
      key.startsWith('files[') ? [value] : [],
    )
    const buffers = await Promise.all(
      bytes.map(async (file) => Buffer.from(await (file as unknown as Blob).arrayBuffer())),
    )
    const made = this.#keep(channel, this.#userOf(this.#me(request).id, true), { ...message })
    if (nonce !== undefined) this.#byNonce.set(nonce, made)
    if (this.#byNonce.size > KEPT_MESSAGES) this.#byNonce.delete(this.#byNonce.keys().next().value as string)
    this.sent.push({
      id: String(made.id),
      channel,
      text: textOf(message),
      body: buffers.length > 0 || message.components ? message : {},
      files: buffers,
      quotes: (message.message_reference as Json | undefined)?.message_id,
    })
    this.#deliver(made)
    if (this.http.transcript.length > 1_000) this.http.transcript.splice(0, 500)
    return { body: made }
  }

  #limited() {
    const limit = this.#limit
    const now = limit?.now() ?? 0
    if (!limit || (limit.until !== 0 && now >= limit.until)) return undefined
    if (limit.until === 0) limit.until = now + limit.ms
    else this.early++
    const body = { message: 'You are being rate limited.', retry_after: (limit.until - now) / 1_000, global: false }
    return { status: 429, headers: { 'retry-after': String(Math.ceil(body.retry_after)) }, body }
  }

  #userOf(id: string, isBot = false): Json {
    return { id, username: `user-${id.slice(-2)}`, global_name: null, ...(isBot ? { bot: true } : {}) }
  }

  #keep(channel: string, author: Json, more: Json): Json {
    const known = this.channels.get(channel)
    const guild = known?.guild_id
    const message = {
      type: 0,
      content: '',
      mentions: [],
      attachments: [],
      ...more,
      id: this.newId(),
      channel_id: channel,
      author,
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      ...(guild === undefined ? {} : { guild_id: guild, member: { nick: null } }),
    }
    this.messages.push(message)
    if (this.messages.length > KEPT_MESSAGES) this.messages.shift()
    return message
  }

  #deliver(message: Json, type = 'MESSAGE_CREATE'): void {
    for (const account of this.accounts)
      if (message.guild_id === undefined || message.guild_id === account.guild) this.dispatch(type, message, account)
  }

  /** Sends an event to the session of a bot, which keeps it while the bot is not there. */
  dispatch(type: string, data: unknown, account = this.accounts[0] as BotAccount): void {
    const session = this.#sessions.get(account.token)
    if (!session) return
    const s = ++session.sequence
    const frame = { op: 0, t: type, s, d: data }
    session.events.push({ s, frame })
    if (session.events.length > KEPT_EVENTS) session.events.shift()
    if (!this.#isMute) session.socket?.send(JSON.stringify(frame))
  }

  /** Sends a frame as it is. */
  frame(value: unknown): void {
    for (const { socket } of this.#sessions.values()) socket?.send(JSON.stringify(value))
  }

  /** Ends all sessions, as after a longer time without a connection. */
  forgetSessions(): void {
    for (const { socket } of this.#sessions.values()) socket?.close(4_000)
    this.#sessions.clear()
  }

  closeSockets(code: number): void {
    for (const { socket } of this.#sessions.values()) socket?.close(code)
  }

  #welcome(socket: WebSocket): void {
    const send = (frame: Json): void => socket.send(JSON.stringify(frame))
    socket.on('error', () => {})
    socket.on('message', (raw) => {
      if (this.#isMute) return
      const { op, d } = JSON.parse(String(raw as Buffer)) as { op: number; d: Json }
      if (op === 1) send({ op: 11 })
      if (op === 2) this.#identify(socket, d)
      if (op === 6) this.#resume(socket, d)
    })
    send({ op: 10, d: { heartbeat_interval: 41_250 } })
  }

  #identify(socket: WebSocket, { token, intents, properties }: Json): void {
    if (this.closeWith !== undefined) return socket.close(this.closeWith)
    const account = this.#accountOf(token)
    if (!account) return socket.close(4_004)
    if (typeof intents !== 'number' || typeof properties !== 'object') this.http.report('IDENTIFY has a wrong shape')
    this.logins.push('identify')
    const session: Session = { id: `session-${this.newId()}`, events: [], sequence: 0, socket: undefined }
    this.#sessions.set(account.token, session)
    this.#attach(session, socket)
    this.dispatch(
      'READY',
      {
        v: 10,
        session_id: session.id,
        resume_gateway_url: this.#address,
        user: this.#userOf(account.id, true),
        guilds: [{ id: account.guild, unavailable: true }],
        application: { id: account.id, flags: this.flags },
      },
      account,
    )
    const channels = [...this.channels.values()].filter((channel) => channel.guild_id === account.guild)
    this.dispatch('GUILD_CREATE', { id: account.guild, channels, threads: [] }, account)
  }

  #resume(socket: WebSocket, { token, session_id: id, seq }: Json): void {
    const account = this.#accountOf(token)
    const session = this.#sessions.get(String(token))
    if (!account) return socket.close(4_004)
    if (!session || session.id !== id || typeof seq !== 'number')
      return socket.send(JSON.stringify({ op: 9, d: false }))
    this.logins.push('resume')
    this.#attach(session, socket)
    for (const { s, frame } of session.events) if (s > seq) socket.send(JSON.stringify(frame))
    this.dispatch('RESUMED', {}, account)
  }

  #attach(session: Session, socket: WebSocket): void {
    session.socket = socket
    socket.on('close', () => {
      if (session.socket === socket) session.socket = undefined
    })
  }

  say(text: string, { from = ALICE, channel = ROOM, bot = false, ...more }: Json = {}): Json {
    const message = this.#keep(String(channel), this.#userOf(String(from), bot === true), { content: text, ...more })
    this.#last = { type: 'MESSAGE_CREATE', data: message }
    this.#deliver(message)
    return message
  }

  /** Delivers the last word of a user again. */
  redeliver(): void {
    const { type, data } = this.#last
    if (type === 'MESSAGE_CREATE') this.#deliver(data)
    else this.dispatch(type, data)
  }

  openThread(channel: string, id = this.newId()): Json {
    const { guild_id: guild } = this.channels.get(channel) as Json
    const thread = { id, type: 11, guild_id: guild, parent_id: channel, name: 'a thread' }
    this.channels.set(id, thread)
    this.dispatch('THREAD_CREATE', thread)
    return thread
  }

  interact(type: 2 | 3, data: Json, more: Json = {}): string {
    const id = this.newId()
    const account = this.accounts[0] as BotAccount
    const interaction = {
      id,
      application_id: account.id,
      type,
      token: `interaction-token-${id}`,
      data,
      guild_id: account.guild,
      channel_id: ROOM,
      channel: this.channels.get(ROOM),
      member: { user: this.#userOf(ALICE), nick: null },
      ...more,
    }
    this.#last = { type: 'INTERACTION_CREATE', data: interaction }
    this.dispatch('INTERACTION_CREATE', interaction)
    return id
  }

  limit(ms: number, now: () => number): void {
    this.#limit = { ms, now, until: 0 }
  }

  /** Keeps the connections, and neither reads nor answers. */
  mute(): void {
    this.#isMute = true
    for (const client of this.#gateway.clients) client.pause()
    this.http.fault(/./, 'hang', Infinity)
  }

  kill(): Promise<void> {
    for (const client of this.#gateway.clients) client.terminate()
    return this.http.kill()
  }

  async stop(): Promise<void> {
    for (const client of this.#gateway.clients) client.terminate()
    await this.http.stop()
  }
}
