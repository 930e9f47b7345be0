// Slack as its documents describe it: the Web API over StrictServer, Socket Mode, and calls of a host. It refuses what
// Slack refuses.
import { createHmac } from 'node:crypto'
import { WebSocketServer, type WebSocket } from 'ws'
import { Type } from '@mynah/contract/type'
import { StrictServer, type StrictAnswer, type StrictRequest, type StrictRoute } from '@mynah/plugin-chat/testing'
import { mistakesInBlocks, mistakeInText, plainOf } from './slack-rules.js'

export type Json = Record<string, unknown>

export const ALICE = 'U0ALICE001'
export const BOB = 'U0BOB00001'
export const HELPER = 'U0HELPER01'
export const ROOM = 'C0ROOM0001'
export const PRIVATE = 'D0ALICE001'
const KEPT_MESSAGES = 400

export interface SlackAccount {
  readonly botToken: string
  readonly appToken: string
  readonly signingSecret: string
  readonly user: string
  readonly bot: string
  readonly team: string
  readonly channel: string
}
export const FIRST: SlackAccount = {
  botToken: 'xoxb-1-the-bot-of-the-tests',
  appToken: 'xapp-1-the-app-of-the-tests',
  signingSecret: '0123456789abcdef0123456789abcdef',
  user: 'U0MYNAH001',
  bot: 'B0MYNAH001',
  team: 'T0HOME0001',
  channel: ROOM,
}
export const SECOND: SlackAccount = {
  botToken: 'xoxb-2-the-other-bot-of-the-tests',
  appToken: 'xapp-2-the-other-app-of-the-tests',
  signingSecret: 'fedcba9876543210fedcba9876543210',
  user: 'U0OTHER001',
  bot: 'B0OTHER001',
  team: 'T0OTHER001',
  channel: 'C0OTHER001',
}
export const SCOPES = [
  ...['channels:history', 'channels:read', 'chat:write', 'files:read', 'files:write', 'groups:history', 'groups:read'],
  ...['im:history', 'im:read', 'im:write', 'mpim:history', 'mpim:read', 'reactions:read', 'reactions:write'],
  ...['users:read'],
]

export interface Sent {
  readonly channel: string
  readonly ts: string
  readonly thread: string | undefined
  /** As people read it. */
  text: string
  raw: string
  blocks: Json[]
  readonly files: readonly Buffer[]
  readonly kind: 'message' | 'ephemeral' | 'response'
  readonly user?: unknown
}

const Channel = Type.String({ pattern: '^[CDG][A-Z0-9]{2,}$' })
const User = Type.String({ pattern: '^[UW][A-Z0-9]{2,}$' })
const Ts = Type.String({ pattern: '^\\d{1,10}\\.\\d{6}$' })
const Text = Type.String({ minLength: 1, maxLength: 40_000 })
const Blocks = Type.Optional(Type.String({ maxLength: 200_000 }))
const Post = {
  channel: Channel,
  text: Text,
  blocks: Blocks,
  thread_ts: Type.Optional(Ts),
}
const History = {
  channel: Channel,
  oldest: Type.Optional(Ts),
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
  cursor: Type.Optional(Type.String({ minLength: 1 })),
  include_all_metadata: Type.Optional(Type.Enum(['true', 'false'])),
}

const ok = (body: Json = {}): StrictAnswer => ({ body: { ok: true, ...body } })
const no = (error: string, more: Json = {}): StrictAnswer => ({ body: { ok: false, error, ...more } })
const formOf = ({ body }: StrictRequest): Record<string, string> => (body ?? {}) as Record<string, string>

export class SlackServer {
  http!: StrictServer
  readonly #sockets = new WebSocketServer({ noServer: true })
  /** The sockets of each app, by its token. */
  readonly #open = new Map<string, WebSocket[]>()
  readonly #pending = new Map<string, { readonly account: SlackAccount; readonly frame: Json }>()
  readonly #tickets = new Map<string, SlackAccount>()
  readonly accounts: readonly SlackAccount[]
  readonly channels = new Map<string, Json>()
  readonly messages: Json[] = []
  readonly sent: Sent[] = []
  readonly reactions = new Map<string, Set<string>>()
  readonly files = new Map<string, { bytes: Buffer; name: string; mime: string; isDone: boolean; length: number }>()
  /** How many times each address of an interaction was used. */
  readonly responses = new Map<string, number>()
  readonly acknowledged: string[] = []
  /** The order of connections: `open` and `close`. */
  readonly log: string[] = []
  scopes = [...SCOPES]
  early = 0
  /** Where events go instead of sockets. */
  callsTo: string | undefined
  /** Slack's clock. */
  now = (): number => Date.now()
  #limit: { ms: number; until: number; now: () => number } | undefined
  #isMute = false
  #count = 0
  #last: { type: string; payload: Json; account: SlackAccount } | undefined

  constructor(accounts: readonly SlackAccount[] = [FIRST]) {
    this.accounts = accounts
    for (const { channel, team } of accounts) this.channels.set(channel, { id: channel, name: 'room', team })
    this.channels.set(PRIVATE, { id: PRIVATE, is_im: true, user: ALICE, team: FIRST.team })
  }

  async listen(): Promise<this> {
    this.http = await StrictServer.start({
      routes: Object.fromEntries(
        Object.entries(this.#routes()).map(([name, route]) => [
          name.startsWith('/') || name.includes(' ') ? name : `POST /api/${name}`,
          route,
        ]),
      ),
      authorize: (request) => this.#authorize(request),
      upgrade: (request, socket, head) => {
        const ticket = new URL(request.url ?? '', 'http://slack.test').searchParams.get('ticket') ?? ''
        const account = this.#tickets.get(ticket)
        this.#tickets.delete(ticket)
        if (!account) return void socket.destroy()
        this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened, account))
      },
    })
    return this
  }

  get apiRoot(): string {
    return `${this.http.url}/api`
  }

  newTs(): string {
    const micro = String(++this.#count % 1_000_000).padStart(6, '0')
    return `${Math.floor(this.now() / 1_000)}.${micro}`
  }

  #authorize({ headers, path }: StrictRequest): StrictAnswer | undefined {
    const token = headers.authorization?.replace('Bearer ', '')
    const isApp = path.endsWith('/apps.connections.open')
    const known = this.accounts.some(({ appToken, botToken }) => token === (isApp ? appToken : botToken))
    return known ? undefined : no('invalid_auth')
  }

  #me({ headers }: StrictRequest): SlackAccount {
    const token = headers.authorization?.replace('Bearer ', '')
    return this.accounts.find(({ appToken, botToken }) => token === botToken || token === appToken) as SlackAccount
  }

  #routes(): Record<string, StrictRoute> {
    return { ...this.#accountRoutes(), ...this.#messageRoutes(), ...this.#fileRoutes() }
  }

  #accountRoutes(): Record<string, StrictRoute> {
    return {
      'auth.test': {
        answer: (request) => {
          const { user, bot, team } = this.#me(request)
          const headers = { 'x-oauth-scopes': this.scopes.join(','), date: new Date(this.now()).toUTCString() }
          return {
            headers,
            ...ok({ url: 'https://home.slack.com/', user_id: user, bot_id: bot, team_id: team, user: 'mynah' }),
          }
        },
      },
      'apps.connections.open': {
        answer: (request) => {
          const ticket = `ticket-${++this.#count}`
          this.#tickets.set(ticket, this.#me(request))
          return ok({ url: `${this.http.url.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=A0MYNAH001` })
        },
      },
      'users.info': {
        body: Type.Object({ user: User, include_locale: Type.Optional(Type.Literal('true')) }),
        answer: (request) => {
          const { user } = formOf(request)
          const name = user?.slice(2, 5).toLowerCase()
          return ok({
            user: { id: user, name, is_bot: user === HELPER, locale: 'en-GB', profile: { display_name: name } },
          })
        },
      },
      'conversations.info': {
        body: Type.Object({ channel: Channel }),
        answer: (request) => {
          const channel = this.#channelOf(request)
          return channel ? ok({ channel }) : no('channel_not_found')
        },
      },
      'conversations.open': {
        body: Type.Object({ users: User }),
        answer: (request) =>
          formOf(request).users === ALICE ? ok({ channel: { id: PRIVATE } }) : no('user_not_found'),
      },
      'conversations.members': {
        body: Type.Object({ channel: Channel, limit: Type.String() }),
        answer: (request) => ok({ members: [ALICE, BOB, this.#me(request).user] }),
      },
      'users.conversations': {
        body: Type.Object({
          types: Type.String(),
          exclude_archived: Type.Literal('true'),
          limit: Type.String(),
          cursor: Type.Optional(Type.String({ minLength: 1 })),
        }),
        answer: (request) => {
          const { team } = this.#me(request)
          const types = new Set(formOf(request).types?.split(','))
          const channels = [...this.channels.values()].filter(
            (one) => one.team === team && types.has(one.is_im === true ? 'im' : 'public_channel'),
          )
          return ok({ channels, response_metadata: { next_cursor: '' } })
        },
      },
    }
  }

  /** Returns the channel of a request, if the account may see it. */
  #channelOf(request: StrictRequest): Json | undefined {
    const found = this.channels.get(formOf(request).channel ?? '')
    return found?.team === this.#me(request).team ? found : undefined
  }

  #messageRoutes(): Record<string, StrictRoute> {
    const written = ({ body }: StrictRequest): string | undefined => {
      const { text = '', blocks, metadata } = body as Record<string, string>
      const wrong = [mistakeInText(text), ...mistakesInBlocks(blocks)]
      if (metadata !== undefined) {
        const { event_type: type, event_payload: payload, ...more } = JSON.parse(metadata) as Json
        const isRight = typeof type === 'string' && typeof payload === 'object' && Object.keys(more).length === 0
        if (!isRight) wrong.push('metadata has a wrong shape')
      }
      return wrong.filter(Boolean).join('; ') || undefined
    }
    return {
      'chat.postMessage': {
        body: Type.Object({ ...Post, metadata: Type.Optional(Type.String()) }),
        rule: written,
        answer: (request) => this.#post(request),
      },
      'chat.postEphemeral': {
        body: Type.Object({ ...Post, user: User }),
        rule: written,
        answer: (request) => {
          if (!this.#channelOf(request)) return no('channel_not_found')
          const { user = '' } = formOf(request)
          if (user !== ALICE && user !== BOB) return no('user_not_in_channel')
          this.#note(formOf(request), 'ephemeral', { user })
          return ok({ message_ts: this.newTs() })
        },
      },
      'POST /response/:token': {
        isPublic: true,
        answer: ({ params, body }) => {
          const { token = '' } = params
          const { text = '', blocks, ...more } = body as Json
          const wrong = [mistakeInText(String(text)), ...mistakesInBlocks(JSON.stringify(blocks ?? []))].filter(Boolean)
          if (wrong.length > 0 || more.replace_original !== false)
            this.http.report(`a response is wrong: ${wrong.join()}`)
          const used = this.responses.get(token) ?? 0
          if (used >= 5) return { status: 404, body: 'used_url' }
          this.responses.set(token, used + 1)
          this.#note({ channel: '', text: String(text) }, 'response', { user: more.response_type })
          return { body: 'ok' }
        },
      },
      'chat.update': {
        body: Type.Object({ channel: Channel, ts: Ts, text: Text, blocks: Blocks }),
        rule: written,
        answer: (request) => {
          const { ts, text = '', blocks } = formOf(request)
          const own = this.sent.find((one) => one.ts === ts)
          if (!own) return no('message_not_found')
          Object.assign(own, { text: plainOf(text), raw: text, blocks: JSON.parse(blocks ?? '[]') as Json[] })
          return ok({ ts })
        },
      },
      'chat.delete': {
        body: Type.Object({ channel: Channel, ts: Ts }),
        answer: (request) => {
          const at = this.sent.findIndex(({ ts }) => ts === formOf(request).ts)
          if (at < 0) return no('message_not_found')
          this.sent.splice(at, 1)
          return ok()
        },
      },
      'conversations.history': {
        body: Type.Object(History),
        answer: (request) =>
          this.#history(request, ({ thread_ts: thread, ts }) => thread === undefined || thread === ts),
      },
      'conversations.replies': {
        body: Type.Object({ ...History, ts: Ts }),
        answer: (request) => {
          const { ts: root } = formOf(request)
          if (!this.messages.some(({ ts }) => ts === root)) return no('thread_not_found')
          return this.#history(request, ({ thread_ts: thread, ts }) => thread === root || ts === root)
        },
      },
      ...Object.fromEntries(
        ['add', 'remove'].map((what) => [
          `reactions.${what}`,
          {
            body: Type.Object({ channel: Channel, timestamp: Ts, name: Type.String({ pattern: '^[\\w+-]{1,100}$' }) }),
            answer: (request: StrictRequest) => this.#react(formOf(request), what === 'add'),
          },
        ]),
      ),
    }
  }

  #react({ channel, timestamp = '', name = '' }: Record<string, string>, isOn: boolean): StrictAnswer {
    if (!this.messages.some((one) => one.ts === timestamp && one.channel === channel)) return no('message_not_found')
    const names = this.reactions.get(timestamp) ?? new Set<string>()
    if (names.has(name) === isOn) return no(isOn ? 'already_reacted' : 'no_reaction')
    if (isOn) names.add(name)
    else names.delete(name)
    this.reactions.set(timestamp, names)
    return ok()
  }

  #history(request: StrictRequest, isIn: (message: Json) => boolean): StrictAnswer {
    if (!this.#channelOf(request)) return no('channel_not_found')
    const { channel, oldest = '0', limit = '100', cursor = '0', include_all_metadata: all, ts } = formOf(request)
    const newer = this.messages
      .filter((one) => one.channel === channel && isIn(one))
      .filter((one) => Number(one.ts) > Number(oldest) || one.ts === ts)
      .map(({ channel: _, metadata, ...one }) => (all === 'true' && metadata ? { ...one, metadata } : one))
    // Channels come with the newest first, threads with the oldest.
    if (ts === undefined) newer.reverse()
    const page = newer.slice(Number(cursor), Number(cursor) + Number(limit))
    const next = Number(cursor) + page.length
    const hasMore = next < newer.length
    return ok({ messages: page, has_more: hasMore, response_metadata: { next_cursor: hasMore ? String(next) : '' } })
  }

  #fileRoutes(): Record<string, StrictRoute> {
    return {
      'files.getUploadURLExternal': {
        body: Type.Object({ filename: Type.String({ minLength: 1 }), length: Type.String({ pattern: '^[1-9]\\d*$' }) }),
        answer: (request) => {
          const { filename = '', length } = formOf(request)
          const id = `F${String(++this.#count).padStart(9, '0')}`
          const file = {
            bytes: Buffer.alloc(0),
            name: filename,
            mime: 'image/png',
            isDone: false,
            length: Number(length),
          }
          this.files.set(id, file)
          return ok({ file_id: id, upload_url: `${this.http.url}/upload/v1/${id}` })
        },
      },
      'POST /upload/v1/:id': {
        isPublic: true,
        rule: ({ params, body, headers }) => {
          const file = this.files.get(params.id ?? '')
          if (headers.authorization !== undefined) return 'the address of an upload gets no token'
          return file && body instanceof Uint8Array && body.length === file.length
            ? undefined
            : 'other bytes were announced'
        },
        answer: ({ params, body }) => {
          const file = this.files.get(params.id ?? '')
          if (file) file.bytes = body as Buffer
          return { body: 'OK' }
        },
      },
      'files.completeUploadExternal': {
        body: Type.Object({ files: Type.String() }),
        answer: (request) => {
          const files = JSON.parse(formOf(request).files ?? '[]') as { id: string; title: string }[]
          for (const { id } of files) {
            const file = this.files.get(id)
            if (!file || file.bytes.length === 0 || file.isDone) return no('invalid_files')
            file.isDone = true
          }
          return ok({ files })
        },
      },
      'files.info': {
        body: Type.Object({ file: Type.String() }),
        answer: (request) => {
          const id = formOf(request).file ?? ''
          const file = this.files.get(id)
          const address = this.elsewhere ?? `${this.http.url}/files/${id}`
          if (!file) return no('file_not_found')
          const permalink = `${this.http.url}/permalink/${id}`
          return ok({ file: { id, name: file.name, mimetype: file.mime, url_private_download: address, permalink } })
        },
      },
      'GET /files/:id': {
        answer: ({ params }) => ({
          headers: { 'content-type': 'image/png' },
          body: this.files.get(params.id ?? '')?.bytes ?? Buffer.alloc(0),
        }),
      },
    }
  }

  /** Address that files have in place of that of this server. */
  elsewhere: string | undefined

  #note(form: Record<string, string>, kind: Sent['kind'], more: { ts?: string; user?: unknown } = {}): Sent {
    const { channel = '', text = '', blocks = '[]', thread_ts: thread } = form
    const shown = Array.from(text.matchAll(/<[^<>|]*\/permalink\/(\w+)\| >/g), ([, id]) => this.files.get(id ?? ''))
    if (shown.some((file) => file?.isDone !== true)) this.http.report('a file of the message was not completed')
    const files = shown.flatMap((file) => file?.bytes ?? [])
    const raw = text.replace(/<[^<>|]*\/permalink\/\w+\| >/g, '')
    const ts = more.ts ?? this.newTs()
    const { user } = more
    const sent: Sent = {
      channel,
      ts,
      thread,
      text: plainOf(raw),
      raw,
      blocks: JSON.parse(blocks) as Json[],
      files,
      kind,
      user,
    }
    this.sent.push(sent)
    if (this.http.transcript.length > 1_000) this.http.transcript.splice(0, 500)
    return sent
  }

  #post(request: StrictRequest): StrictAnswer {
    const refused = this.#limited()
    if (refused) return refused
    const form = formOf(request)
    if (!this.#channelOf(request)) return no('channel_not_found')
    const { channel = '', text = '', thread_ts: thread, metadata } = form
    const parent = this.messages.find((one) => one.ts === thread && one.channel === channel)
    if (thread !== undefined && !parent) this.http.report(`there is no message ${thread} to answer`)
    const me = this.#me(request)
    const data = metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Json }
    const more = { bot_id: me.bot, ...(thread === undefined ? {} : { thread_ts: thread }), ...data }
    const { message } = this.#keep(channel, me.user, text, more)
    this.#note(form, 'message', { ts: String(message.ts) })
    // Slack sends no metadata with the events of messages.
    const { metadata: _, ...event } = message
    void this.dispatch(event, me).catch(() => undefined)
    return ok({ channel, ts: message.ts, message })
  }

  #limited(): StrictAnswer | undefined {
    const limit = this.#limit
    const now = limit?.now() ?? 0
    if (!limit || (limit.until !== 0 && now >= limit.until)) return undefined
    if (limit.until === 0) limit.until = now + limit.ms
    else this.early++
    const seconds = Math.ceil((limit.until - now) / 1_000)
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: { ok: false, error: 'ratelimited' } }
  }

  #keep(channel: string, user: string, text: string, more: Json): { message: Json; parent: Json | undefined } {
    const isDirect = this.channels.get(channel)?.is_im === true
    const ts = this.newTs()
    const base = { type: 'message', channel, channel_type: isDirect ? 'im' : 'channel', user, text, ts, event_ts: ts }
    const message: Json = { ...base, ...more }
    const parent = this.messages.find((one) => one.ts === message.thread_ts && one.channel === channel)
    if (parent) Object.assign(parent, { thread_ts: parent.ts, reply_count: Number(parent.reply_count ?? 0) + 1 })
    this.messages.push(message)
    if (this.messages.length > KEPT_MESSAGES) this.messages.shift()
    return { message, parent }
  }

  #accountOf(channel: unknown): SlackAccount {
    const { team } = this.channels.get(String(channel)) ?? {}
    return this.accounts.find((account) => account.team === team) ?? (this.accounts[0] as SlackAccount)
  }

  /** Sends an event to the app, or calls the host. */
  dispatch(event: unknown, account = this.accounts[0] as SlackAccount): Promise<void> {
    const payload = {
      token: 'verification',
      team_id: account.team,
      api_app_id: 'A0MYNAH001',
      event,
      type: 'event_callback',
      event_id: `Ev${++this.#count}`,
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [{ team_id: account.team, user_id: account.user, is_bot: true }],
    }
    return this.deliver('events_api', payload, account)
  }

  async deliver(type: string, payload: Json, account = this.accounts[0] as SlackAccount): Promise<void> {
    if (this.callsTo !== undefined) return this.#call(type, payload, account)
    const id = `envelope-${++this.#count}`
    const frame = { envelope_id: id, type, accepts_response_payload: type !== 'events_api', payload }
    const sockets = (this.#open.get(account.appToken) ?? []).filter(({ readyState }) => readyState === 1)
    const socket = sockets[this.#count % sockets.length]
    if (!socket || this.#isMute) return
    this.#pending.set(id, { account, frame })
    socket.send(JSON.stringify(frame))
  }

  async #call(type: string, payload: Json, account: SlackAccount): Promise<void> {
    const form = type === 'interactive' ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>)
    const isEvent = type === 'events_api'
    // A host that is not there gets nothing. All messages are in the history.
    const answer = await this.call(isEvent ? JSON.stringify(payload) : new URLSearchParams(form).toString(), {
      secret: account.signingSecret,
      type: isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
    }).catch(() => undefined)
    if (answer && answer.status !== 200) throw new Error(`the host answers ${answer.status}`)
  }

  /** Calls the host, signed. */
  call(body: string, { secret = FIRST.signingSecret, age = 0, type = 'application/json' } = {}): Promise<Response> {
    const timestamp = String(Math.floor(this.now() / 1_000) - age)
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
    return fetch(String(this.callsTo), {
      method: 'POST',
      body,
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
    })
  }

  #welcome(socket: WebSocket, account: SlackAccount): void {
    const sockets = [...(this.#open.get(account.appToken) ?? []), socket]
    this.#open.set(account.appToken, sockets)
    this.log.push('open')
    socket.on('error', () => {})
    socket.on('close', () => {
      this.log.push('close')
      this.#open.set(
        account.appToken,
        (this.#open.get(account.appToken) ?? []).filter((one) => one !== socket),
      )
    })
    socket.on('message', (raw) => {
      const { envelope_id: id } = JSON.parse(String(raw as Buffer)) as Json
      if (!this.#pending.delete(String(id))) this.http.report(`no envelope ${String(id)} waits`)
      this.acknowledged.push(String(id))
      if (this.acknowledged.length > 200) this.acknowledged.shift()
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.length, connection_info: { app_id: 'A1' } }))
    // All that is not acknowledged is delivered again.
    for (const { account: to, frame } of this.#pending.values())
      if (to === account) socket.send(JSON.stringify({ ...frame, retry_attempt: 1, retry_reason: 'timeout' }))
  }

  get waiting(): number {
    return this.#pending.size
  }

  sockets(account = FIRST): readonly WebSocket[] {
    return this.#open.get(account.appToken) ?? []
  }

  /** Sends a frame as it is. */
  frame(value: unknown): void {
    for (const socket of this.sockets()) socket.send(JSON.stringify(value))
  }

  async say(text: string, { user = ALICE, channel = ROOM, ...more }: Json = {}): Promise<Json> {
    const { message } = this.#keep(String(channel), String(user), text, more)
    const account = this.#accountOf(channel)
    this.#last = { type: 'events_api', payload: message, account }
    await this.dispatch(message, account)
    return message
  }

  /** Delivers the last word of a user again. */
  async redeliver(): Promise<void> {
    if (!this.#last) return
    const { type, payload, account } = this.#last
    await (type === 'events_api' ? this.dispatch(payload, account) : this.deliver(type, payload, account))
  }

  /** A user presses a button, or chooses a command. */
  async interact(type: 'interactive' | 'slash_commands', more: Json): Promise<void> {
    const account = this.accounts[0] as SlackAccount
    const token = `response-${++this.#count}`
    const common = { response_url: `${this.http.url}/response/${token}`, trigger_id: `1.2.${token}`, api_app_id: 'A1' }
    const payload =
      type === 'interactive'
        ? {
            type: 'block_actions',
            team: { id: account.team },
            user: { id: ALICE, username: 'alice' },
            ...common,
            ...more,
          }
        : { team_id: account.team, user_id: ALICE, user_name: 'alice', channel_id: ROOM, ...common, ...more }
    this.#last = { type, payload, account }
    await this.deliver(type, payload, account)
  }

  /** Presses a button of the last message of the bot. */
  async press(label: string, channel = ROOM): Promise<void> {
    const { ts, blocks, thread } = this.sent.at(-1) as Sent
    const buttons = blocks.flatMap(({ elements = [] }) => elements as Json[])
    const found = buttons.find(({ text }) => (text as Json | undefined)?.text === label)
    const { action_id: id, value } = found ?? {}
    await this.interact('interactive', {
      channel: { id: channel, name: 'room' },
      message: { ts, ...(thread === undefined ? {} : { thread_ts: thread }) },
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
      actions: [{ type: 'button', action_id: id, block_id: 'b', value, action_ts: this.newTs() }],
    })
  }

  limit(ms: number, now: () => number): void {
    this.#limit = { ms, now, until: 0 }
  }

  /** Keeps the connections, and neither reads nor answers. */
  mute(): void {
    this.#isMute = true
    for (const client of this.#sockets.clients) client.pause()
    this.http.fault(/./, 'hang', Infinity)
  }

  kill(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    return this.http.kill()
  }

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    await this.http.stop()
  }
}
