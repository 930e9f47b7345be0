// Lark as its documents and its own client describe it: REST over StrictServer, events by socket or webhook.
import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { WebSocketServer, type WebSocket } from 'ws'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { StrictServer, type StrictAnswer, type StrictRequest, type StrictRoute } from '@mynah/plugin-chat/testing'
import { CONTROL, DATA, decodeFrame, encodeFrame, type Frame } from '../frame.js'

type Json = Record<string, unknown>

export const ALICE = 'ou_alice'
export const BOB = 'ou_bob'
export const ROOM = 'oc_room'
export const PRIVATE = 'oc_private'
export const APP_ID = 'cli_0123456789abcdef'
export const APP_SECRET = 'app-secret-of-the-tests'
export const ENCRYPT_KEY = 'encrypt-key-of-the-tests'
export const VERIFICATION_TOKEN = 'verification-token-of-the-tests'
const API = '/open-apis/im/v1'
const SENDING = /POST .*(messages|reply)$/
const FRAGMENTS = 3

export interface BotAccount {
  readonly appId: string
  readonly appSecret: string
  readonly openId: string
}

/** A message that the bot has sent. */
export interface Sent {
  readonly id: string
  readonly chat: string
  type: string
  text: string
  content: Json
  readonly quotes?: string | undefined
  readonly inThread: boolean
  readonly bytes?: Buffer | undefined
}

interface Delivery {
  readonly id: string
  readonly frames: readonly Buffer[]
  readonly event: Json
}

class Account {
  readonly sockets = new Set<WebSocket>()
  /** Events that were not acknowledged, oldest first. */
  readonly waiting: Delivery[] = []
  last: Delivery | undefined
}

const closed = { additionalProperties: false }
const Words = Type.String({ minLength: 1 })
const Button = Type.Object(
  {
    tag: Type.Literal('button'),
    type: Type.Enum(['default', 'primary', 'danger']),
    text: Type.Object({ tag: Type.Literal('plain_text'), content: Words }, closed),
    url: Type.Optional(Words),
    value: Type.Optional(Type.Object({ command: Words }, closed)),
  },
  closed,
)
const CONTENTS: Readonly<Record<string, object>> = {
  text: Type.Object({ text: Words }, closed),
  image: Type.Object({ image_key: Words }, closed),
  file: Type.Object({ file_key: Words }, closed),
  post: Type.Object(
    {
      zh_cn: Type.Object(
        {
          title: Type.String(),
          content: Type.Array(
            Type.Array(
              Type.Object(
                {
                  tag: Type.Enum(['text', 'a', 'at', 'code_block']),
                  text: Type.Optional(Words),
                  href: Type.Optional(Words),
                  user_id: Type.Optional(Words),
                  language: Type.Optional(Words),
                  style: Type.Optional(Type.Array(Type.Enum(['bold', 'italic', 'lineThrough', 'underline']))),
                },
                closed,
              ),
            ),
          ),
        },
        closed,
      ),
    },
    closed,
  ),
  interactive: Type.Object(
    {
      config: Type.Object({ update_multi: Type.Boolean() }, closed),
      header: Type.Optional(Type.Object({ title: Type.Object({ tag: Type.Literal('plain_text'), content: Words }) })),
      elements: Type.Array(
        Type.Object(
          {
            tag: Type.Enum(['div', 'action']),
            text: Type.Optional(Type.Object({ tag: Type.Literal('plain_text'), content: Words }, closed)),
            fields: Type.Optional(Type.Array(Type.Object({}), { maxItems: 30 })),
            actions: Type.Optional(Type.Array(Button, { minItems: 1 })),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
}
const Message = { msg_type: Type.Enum(Object.keys(CONTENTS)), content: Words, uuid: Type.String({ maxLength: 50 }) }

const refusal = (code: number, msg: string, status = 400): StrictAnswer => ({ status, body: { code, msg } })
const data = (value: Json): StrictAnswer => ({ body: { code: 0, msg: 'success', data: value } })

/** Returns what is wrong with the content of a message. */
function ruleOf({ body }: StrictRequest): string | undefined {
  const { msg_type: type, content } = body as { msg_type?: string; content: string }
  const wrong = mistakesIn(CONTENTS[type ?? 'interactive'] as object, JSON.parse(content))
  if (type === 'post' && Buffer.byteLength(content) > 30_000) return 'the post has more than 30,000 bytes'
  return wrong.length > 0 ? wrong.map(({ path, message }) => `${path} ${message}`).join('; ') : undefined
}

function textOf(type: string, content: Json): string {
  if (type === 'text') return String(content.text)
  if (type === 'post') {
    const { content: lines } = content.zh_cn as { content: Json[][] }
    return lines.map((line) => line.map(({ text, user_id: id }) => text ?? `@${String(id)}`).join('')).join('\n')
  }
  const { header, elements = [] } = content as { header?: { title: Json }; elements?: { text?: Json }[] }
  return [header?.title.content, ...elements.map(({ text }) => text?.content)].filter(Boolean).join('\n')
}

/** Returns an event as Lark posts it, encrypted and signed. */
export function encrypted(
  event: unknown,
  key = ENCRYPT_KEY,
  timestamp = String(Math.floor(Date.now() / 1_000)),
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv)
  const bytes = Buffer.concat([iv, cipher.update(JSON.stringify(event) ?? ''), cipher.final()])
  const body = JSON.stringify({ encrypt: bytes.toString('base64') })
  const nonce = randomUUID()
  const signature = createHash('sha256')
    .update(timestamp + nonce + key + body)
    .digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-lark-request-timestamp': timestamp,
    'x-lark-request-nonce': nonce,
    'x-lark-signature': signature,
  }
  return { body, headers }
}

export class LarkServer {
  http!: StrictServer
  readonly #gateway = new WebSocketServer({ noServer: true })
  readonly #accounts = new Map<string, Account>()
  readonly #known: readonly BotAccount[]
  readonly #tickets = new Map<string, string>()
  readonly #tokens = new Map<string, string>()
  readonly #files = new Map<string, Buffer>()
  readonly #byUuid = new Map<string, Sent>()
  readonly sent: Sent[] = []
  readonly deleted: string[] = []
  readonly reactions = new Map<string, { readonly message: string; readonly type: string }>()
  /** Where events are posted; by socket where it is absent. */
  webhook: string | undefined
  tokens = 0
  pings = 0
  hasPermission = true
  early = 0
  /** The last message of Alice. */
  said = ''
  #limit: { readonly ms: number; readonly now: () => number; until: number | undefined } | undefined
  #isMute = false
  #ids = 0

  constructor(known: readonly BotAccount[] = [{ appId: APP_ID, appSecret: APP_SECRET, openId: 'ou_bot' }]) {
    this.#known = known
    for (const { appId } of known) this.#accounts.set(appId, new Account())
  }

  async listen(): Promise<this> {
    this.#gateway.on('connection', (socket: WebSocket, account: Account) => this.#welcome(socket, account))
    this.http = await StrictServer.start({
      routes: this.#routes(),
      authorize: (request) => (this.#botOf(request) ? undefined : refusal(99_991_663, 'the access token is not valid')),
      upgrade: (request, socket, head) => {
        const ticket = new URL(request.url ?? '', 'http://platform').searchParams.get('ticket') ?? ''
        const account = this.#accounts.get(this.#tickets.get(ticket) ?? '')
        this.#tickets.delete(ticket)
        if (!account || this.#isMute) return void socket.destroy()
        this.#gateway.handleUpgrade(request, socket, head, (opened) => {
          this.#gateway.emit('connection', opened, account)
        })
      },
    })
    return this
  }

  #botOf({ headers }: StrictRequest): BotAccount | undefined {
    const id = this.#tokens.get((headers.authorization ?? '').replace('Bearer ', ''))
    return this.#known.find(({ appId }) => appId === id)
  }

  #isKnown(id: unknown, secret: unknown): boolean {
    return this.#known.some(({ appId, appSecret }) => appId === id && appSecret === secret)
  }

  #routes(): Record<string, StrictRoute> {
    return {
      'POST /callback/ws/endpoint': {
        isPublic: true,
        body: Type.Object({ AppID: Type.String(), AppSecret: Type.String() }),
        answer: ({ body }) => {
          const { AppID, AppSecret } = body as Json
          if (!this.#isKnown(AppID, AppSecret)) return { body: { code: 514, msg: 'auth failed', data: {} } }
          const ticket = randomUUID()
          this.#tickets.set(ticket, String(AppID))
          const url = `${this.http.url.replace('http', 'ws')}/ws?device_id=1&service_id=7&ticket=${ticket}`
          const times = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 120, ReconnectNonce: 30 }
          return data({ URL: url, ClientConfig: times })
        },
      },
      'POST /open-apis/auth/v3/tenant_access_token/internal': {
        isPublic: true,
        body: Type.Object({ app_id: Type.String(), app_secret: Type.String() }),
        answer: ({ body }) => {
          const { app_id: id, app_secret: secret } = body as Json
          if (!this.#isKnown(id, secret)) return { body: { code: 10_014, msg: 'app secret invalid' } }
          const token = `t-${++this.tokens}-${String(id)}`
          this.#tokens.set(token, String(id))
          return { body: { code: 0, msg: 'ok', tenant_access_token: token, expire: 7_200 } }
        },
      },
      'GET /open-apis/bot/v3/info': {
        answer: (request) => {
          const bot = { open_id: this.#botOf(request)?.openId, app_name: 'Mynah', activate_status: 2 }
          return { body: { code: 0, msg: 'ok', bot } }
        },
      },
      [`GET ${API}/chats`]: {
        query: Type.Object({ page_size: Type.String() }),
        answer: () => (this.hasPermission ? data({ items: [] }) : refusal(99_991_672, 'no permission')),
      },
      ...this.#messages(),
      ...this.#others(),
    }
  }

  #messages(): Record<string, StrictRoute> {
    return {
      [`POST ${API}/messages`]: {
        query: Type.Object({ receive_id_type: Type.Enum(['chat_id', 'open_id']) }),
        body: Type.Object({ receive_id: Words, ...Message }),
        rule: ruleOf,
        answer: ({ body, query }) => {
          const { receive_id: to } = body as { receive_id: string }
          if (query.receive_id_type === 'chat_id') return this.#take(to, body as Json)
          return to === ALICE ? this.#take(PRIVATE, body as Json) : refusal(230_013, 'no such user')
        },
      },
      [`POST ${API}/messages/:id/reply`]: {
        body: Type.Object({ reply_in_thread: Type.Boolean(), ...Message }),
        rule: ruleOf,
        answer: ({ body, params }) => this.#take(this.#chats.get(params.id ?? '') ?? ROOM, body as Json, params.id),
      },
      [`GET ${API}/messages/:id`]: {
        answer: ({ params }) => data({ items: [{ message_id: params.id, chat_id: this.#chats.get(params.id ?? '') }] }),
      },
      [`PUT ${API}/messages/:id`]: {
        body: Type.Object({ msg_type: Type.Enum(['text', 'post']), content: Words }),
        rule: ruleOf,
        answer: ({ params, body }) => this.#edit(params.id, body as Json),
      },
      [`PATCH ${API}/messages/:id`]: {
        body: Type.Object({ content: Words }),
        rule: ruleOf,
        answer: ({ params, body }) => this.#edit(params.id, { msg_type: 'interactive', ...(body as Json) }),
      },
      [`DELETE ${API}/messages/:id`]: {
        answer: ({ params }) => {
          this.deleted.push(params.id ?? '')
          return data({})
        },
      },
    }
  }

  #others(): Record<string, StrictRoute> {
    const upload = (part: string, key: string): StrictRoute => ({
      rule: ({ body }) =>
        body instanceof FormData && body.get(part) instanceof Blob ? undefined : `there is no form with ${part}`,
      answer: async ({ body }) => {
        const id = `${key}_${++this.#ids}`
        this.#files.set(id, Buffer.from(await ((body as FormData).get(part) as Blob).arrayBuffer()))
        return data({ [key]: id })
      },
    })
    return {
      [`POST ${API}/images`]: upload('image', 'image_key'),
      [`POST ${API}/files`]: upload('file', 'file_key'),
      [`GET ${API}/messages/:id/resources/:key`]: {
        query: Type.Object({ type: Type.Enum(['image', 'file']) }),
        answer: ({ params }) => {
          const bytes = this.#files.get(params.key ?? '')
          return bytes ? { body: bytes } : refusal(234_003, 'the file is not in the message')
        },
      },
      [`POST ${API}/messages/:id/reactions`]: {
        body: Type.Object({ reaction_type: Type.Object({ emoji_type: Words }, closed) }),
        answer: ({ params, body }) => {
          const id = `reaction-${++this.#ids}`
          const { emoji_type: type } = (body as { reaction_type: { emoji_type: string } }).reaction_type
          this.reactions.set(id, { message: params.id ?? '', type })
          return data({ reaction_id: id })
        },
      },
      [`GET ${API}/messages/:id/reactions`]: {
        query: Type.Object({ reaction_type: Words }),
        answer: ({ params, query }) => {
          const known = [...this.reactions].filter(
            ([, { message, type }]) => message === params.id && type === query.reaction_type,
          )
          return data({ items: known.map(([id]) => ({ reaction_id: id, operator: { operator_type: 'app' } })) })
        },
      },
      [`DELETE ${API}/messages/:id/reactions/:reaction`]: {
        answer: ({ params }) => {
          if (!this.reactions.delete(params.reaction ?? '')) return refusal(231_007, 'no such reaction')
          return data({})
        },
      },
    }
  }

  readonly #chats = new Map<string, string>()

  #isLimited(): boolean {
    const limit = this.#limit
    if (!limit || limit.now() >= (limit.until ?? Infinity)) return false
    // The time begins with the first message that is refused.
    if (limit.until === undefined) limit.until = limit.now() + limit.ms
    else this.early++
    return true
  }

  #take(chat: string, body: Json, quotes?: string): StrictAnswer {
    if (this.#isLimited()) {
      const headers = { 'x-ogw-ratelimit-reset': String((this.#limit?.ms ?? 0) / 1_000) }
      return { status: 400, headers, body: { code: 99_991_400, msg: 'request trigger frequency limit' } }
    }
    const known = this.#byUuid.get(String(body.uuid))
    if (known) return data({ message_id: known.id, chat_id: known.chat })
    const content = JSON.parse(String(body.content)) as Json
    const type = String(body.msg_type)
    const sent: Sent = {
      id: `om_${++this.#ids}`,
      chat,
      type,
      content,
      text: textOf(type, content),
      quotes,
      inThread: body.reply_in_thread === true,
      bytes: this.#files.get(String(content.image_key ?? content.file_key)),
    }
    // These tests repeat only the newest.
    this.#byUuid.set(String(body.uuid), sent)
    if (this.#byUuid.size > 500) this.#byUuid.delete(this.#byUuid.keys().next().value ?? '')
    this.#remember(sent.id, chat)
    this.sent.push(sent)
    return data({ message_id: sent.id, chat_id: chat })
  }

  #remember(id: string, chat: string): void {
    this.#chats.set(id, chat)
    if (this.#chats.size > 500) this.#chats.delete(this.#chats.keys().next().value ?? '')
  }

  #edit(id: string | undefined, body: Json): StrictAnswer {
    const sent = this.sent.find((one) => one.id === id)
    if (!sent) return refusal(230_001, 'no such message of the bot')
    sent.content = JSON.parse(String(body.content)) as Json
    sent.type = String(body.msg_type)
    sent.text = textOf(sent.type, sent.content)
    return data({ message_id: id })
  }

  #welcome(socket: WebSocket, account: Account): void {
    account.sockets.add(socket)
    socket.on('close', () => account.sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('message', (raw) => this.#hear(socket, account, decodeFrame(raw as Buffer)))
    for (const { frames } of account.waiting) for (const frame of frames) socket.send(frame)
  }

  #hear(socket: WebSocket, account: Account, frame: Frame): void {
    const { method, service, headers, payload } = frame
    if (service !== 7) this.http.report(`a frame names the service ${service}`)
    if (method === CONTROL) {
      if (headers.type !== 'ping') this.http.report(`a frame of control is a ${headers.type}`)
      this.pings++
      const times = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 120, ReconnectNonce: 30 }
      const pong = { ...frame, headers: { type: 'pong' }, payload: Buffer.from(JSON.stringify(times)) }
      return socket.send(encodeFrame(pong))
    }
    const { code } = JSON.parse(Buffer.from(payload).toString('utf8')) as { code: number }
    if (method !== DATA || headers.biz_rt === undefined || code !== 200)
      return this.http.report(`an acknowledgement is wrong: ${JSON.stringify(headers)} ${code}`)
    const at = account.waiting.findIndex(({ id }) => id === headers.message_id)
    if (at >= 0) account.waiting.splice(at, 1)
  }

  /** Events that the bot has not acknowledged. */
  unacknowledged(appId = APP_ID): number {
    return this.#accounts.get(appId)?.waiting.length ?? 0
  }

  /** Delivers an event until it is acknowledged. */
  async deliver(type: string, event: unknown, appId = APP_ID): Promise<void> {
    const account = this.#accounts.get(appId)
    if (!account) throw new Error(`there is no account ${appId}`)
    const id = `event-${++this.#ids}`
    const header = { event_id: id, event_type: type, token: VERIFICATION_TOKEN, app_id: appId, tenant_key: 't' }
    const whole = { schema: '2.0', header: { ...header, create_time: String(Date.now()) }, event }
    account.last = { id, event: whole, frames: this.#framesOf(id, whole) }
    account.waiting.push(account.last)
    await this.#emit(account, account.last)
  }

  /** Every third event comes in fragments. */
  #framesOf(id: string, event: Json): Buffer[] {
    const payload = Buffer.from(JSON.stringify(event))
    const count = this.#ids % FRAGMENTS === 0 ? FRAGMENTS : 1
    const size = Math.ceil(payload.length / count)
    return Array.from({ length: count }, (_, seq) => {
      const headers = { type: 'event', message_id: id, sum: String(count), seq: String(seq), trace_id: 'trace' }
      const part = payload.subarray(seq * size, (seq + 1) * size)
      return encodeFrame({ sequence: 1n, log: 2n ** 63n + 5n, service: 7, method: DATA, headers, payload: part })
    })
  }

  async #emit(account: Account, delivery: Delivery): Promise<void> {
    if (this.webhook !== undefined) {
      const { status } = await this.post(delivery.event)
      if (status !== 200) throw new Error(`the host answers ${status}`)
      return void account.waiting.splice(account.waiting.indexOf(delivery), 1)
    }
    const socket = [...account.sockets].at(-1)
    for (const frame of delivery.frames) socket?.send(frame)
  }

  /** Posts an event as the mode webhook has it. */
  async post(
    event: unknown,
    {
      key = ENCRYPT_KEY,
      signature,
      timestamp = String(Math.floor(Date.now() / 1_000)),
    }: {
      key?: string
      signature?: string
      timestamp?: string
    } = {},
  ): Promise<{ status: number; body: unknown }> {
    const { body, headers } = encrypted(event, key, timestamp)
    const response = await fetch(String(this.webhook), {
      method: 'POST',
      body,
      headers: { ...headers, ...(signature === undefined ? {} : { 'x-lark-signature': signature }) },
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Says something where the bot hears it. */
  async say(text: string, more: Json = {}, sender: Json = {}, appId = APP_ID): Promise<void> {
    const chat = typeof more.chat_id === 'string' ? more.chat_id : ROOM
    const id = `om_${++this.#ids}`
    this.#remember(id, chat)
    this.said = id
    const message = {
      message_id: id,
      create_time: String(Date.now()),
      chat_id: chat,
      chat_type: chat === PRIVATE ? 'p2p' : 'group',
      message_type: 'text',
      content: JSON.stringify({ text }),
      ...more,
    }
    const from = { sender_id: { open_id: ALICE, union_id: 'on_alice' }, sender_type: 'user', tenant_key: 't' }
    await this.deliver('im.message.receive_v1', { sender: { ...from, ...sender }, message }, appId)
  }

  /** Delivers the last event again, as if its acknowledgement were lost. */
  async redeliver(appId = APP_ID): Promise<void> {
    const account = this.#accounts.get(appId)
    if (!account?.last) throw new Error('nothing was said')
    account.waiting.push(account.last)
    await this.#emit(account, account.last)
  }

  /** Sends bytes as they are. */
  raw(bytes: Uint8Array): void {
    for (const account of this.#accounts.values()) for (const socket of account.sockets) socket.send(bytes)
  }

  keep(bytes: Uint8Array): string {
    const key = `img_${++this.#ids}`
    this.#files.set(key, Buffer.from(bytes))
    return key
  }

  forgetTokens(): void {
    this.#tokens.clear()
  }

  limit(ms: number, now: () => number): void {
    this.#limit = { ms, now, until: undefined }
  }

  refuse(times: number): void {
    this.http.fault(SENDING, refusal(230_002, 'forbidden: the bot is not in the chat'), times)
  }

  swallow(times: number): void {
    this.http.fault(SENDING, 'lose', times)
  }

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
