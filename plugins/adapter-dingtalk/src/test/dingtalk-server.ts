// DingTalk in stream mode as its documents and its own client describe it. It refuses what it does not know.
import { randomUUID } from 'node:crypto'
import { WebSocketServer, type WebSocket } from 'ws'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { StrictServer, type StrictAnswer, type StrictRequest, type StrictRoute } from '@mynah/plugin-chat/testing'

type Json = Record<string, unknown>

export const ALICE = 'staff-alice'
export const BOB = 'staff-bob'
export const ROOM = 'cidAbCdEf12345=='
export const CLIENT_ID = 'dingaccountofthetests'
export const CLIENT_SECRET = 'client-secret-of-the-tests'
const TOPIC = '/v1.0/im/bot/messages/get'
const SENDING = /groupMessages\/send|batchSend|sendBySession/
const SESSION_MS = 5_400_000
const MAX_BYTES = 15_000

export interface BotAccount {
  readonly clientId: string
  readonly clientSecret: string
}

/** A message that the bot has sent. */
export interface Sent {
  readonly to: string
  readonly kind: string
  readonly text: string
  /** How: by the robot, or by the session of a message. */
  readonly by: 'robot' | 'session'
  readonly at?: unknown
  readonly bytes?: Buffer | undefined
  readonly key?: string
}

interface Frame {
  readonly id: string
  readonly frame: string
}

class Account {
  readonly sockets = new Set<WebSocket>()
  /** Messages that were not acknowledged, oldest first. */
  readonly waiting: Frame[] = []
  last: Frame | undefined
}

const closed = { additionalProperties: false }
const Words = Type.String({ minLength: 1, maxLength: MAX_BYTES })
const Acknowledgement = Type.Object(
  {
    code: Type.Literal(200),
    headers: Type.Object(
      {
        contentType: Type.Literal('application/json'),
        messageId: Type.String(),
        // DingTalk's own client sends the headers of a ping back.
        time: Type.Optional(Type.String()),
        topic: Type.Optional(Type.Literal('ping')),
      },
      closed,
    ),
    message: Type.Literal('OK'),
    data: Type.String(),
  },
  closed,
)
const Opening = Type.Object({
  clientId: Type.String(),
  clientSecret: Type.String(),
  ua: Type.Optional(Type.String()),
  subscriptions: Type.Array(
    Type.Object({ type: Type.Enum(['EVENT', 'CALLBACK']), topic: Type.String({ minLength: 1 }) }, closed),
    { minItems: 1 },
  ),
})
const RobotMessage = {
  robotCode: Type.String({ minLength: 1 }),
  msgKey: Type.Enum(['sampleText', 'sampleMarkdown', 'sampleImageMsg', 'sampleFile']),
  msgParam: Type.String({ minLength: 2 }),
}
const PARAMS: Readonly<Record<string, object>> = {
  sampleText: Type.Object({ content: Words }, closed),
  sampleMarkdown: Type.Object({ title: Words, text: Words }, closed),
  sampleImageMsg: Type.Object({ photoURL: Words }, closed),
  sampleFile: Type.Object({ mediaId: Words, fileName: Words, fileType: Words }, closed),
}
const At = Type.Object({ atUserIds: Type.Array(Type.String()), isAtAll: Type.Boolean() }, closed)
const Answer = Type.Object({
  msgtype: Type.Enum(['text', 'markdown']),
  text: Type.Optional(Type.Object({ content: Words }, closed)),
  markdown: Type.Optional(Type.Object({ title: Words, text: Words }, closed)),
  at: At,
})

const refusal = (status: number, code: string, message: string): StrictAnswer => ({ status, body: { code, message } })

/** Returns what is wrong with a message of the robot although it has the right shape. */
function ruleOf({ body }: StrictRequest): string | undefined {
  const { msgKey, msgParam } = body as { msgKey: string; msgParam: string }
  if (Buffer.byteLength(msgParam) > MAX_BYTES) return `msgParam has more than ${MAX_BYTES} bytes`
  const wrong = mistakesIn(PARAMS[msgKey] as object, JSON.parse(msgParam))
  return wrong.length > 0 ? wrong.map(({ path, message }) => `${path} ${message}`).join('; ') : undefined
}

export class DingTalkServer {
  http!: StrictServer
  readonly #gateway = new WebSocketServer({ noServer: true })
  readonly #accounts = new Map<string, Account>()
  readonly #known: readonly BotAccount[]
  readonly #tickets = new Map<string, string>()
  readonly #tokens = new Map<string, string>()
  readonly #sessions = new Map<string, string>()
  readonly #files = new Map<string, Buffer>()
  readonly sent: Sent[] = []
  /** Tokens that were given out. */
  tokens = 0
  /** How long a token is said to be valid, s. */
  tokenSeconds = 7_200
  /** Answers to `ping`. */
  pongs = 0
  hasPermission = true
  early = 0
  #limit: { readonly ms: number; readonly now: () => number; until: number | undefined } | undefined
  #isMute = false
  #ids = 0

  constructor(known: readonly BotAccount[] = [{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }]) {
    this.#known = known
    for (const { clientId } of known) this.#accounts.set(clientId, new Account())
  }

  async listen(): Promise<this> {
    this.#gateway.on('connection', (socket: WebSocket, account: Account) => this.#welcome(socket, account))
    this.http = await StrictServer.start({
      routes: this.#routes(),
      authorize: ({ headers, query }) => {
        const token = headers['x-acs-dingtalk-access-token'] ?? query.access_token
        if (this.#tokens.has(String(token))) return undefined
        return refusal(400, 'InvalidAuthentication', 'the access token is not valid')
      },
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

  #routes(): Record<string, StrictRoute> {
    return {
      'POST /v1.0/gateway/connections/open': {
        isPublic: true,
        body: Opening,
        answer: ({ body }) => {
          const { clientId, clientSecret } = body as BotAccount
          if (!this.#isKnown(clientId, clientSecret)) return refusal(401, 'authFailed', 'authentication failed')
          const ticket = randomUUID()
          this.#tickets.set(ticket, clientId)
          return { body: { endpoint: `${this.http.url.replace('http', 'ws')}/connect`, ticket } }
        },
      },
      'POST /v1.0/oauth2/accessToken': {
        isPublic: true,
        body: Type.Object({ appKey: Type.String(), appSecret: Type.String() }),
        answer: ({ body }) => {
          const { appKey, appSecret } = body as { appKey: string; appSecret: string }
          if (!this.#isKnown(appKey, appSecret))
            return refusal(400, 'invalidClientIdOrSecret', 'the client id or secret is wrong')
          const accessToken = `token-${++this.tokens}-of-${appKey}`
          this.#tokens.set(accessToken, appKey)
          return { body: { accessToken, expireIn: this.tokenSeconds } }
        },
      },
      ...this.#sending(),
      ...this.#media(),
    }
  }

  #sending(): Record<string, StrictRoute> {
    return {
      'POST /v1.0/robot/groupMessages/send': {
        body: Type.Object({ openConversationId: Type.String({ pattern: '^cid' }), ...RobotMessage }),
        rule: ruleOf,
        answer: ({ body }) => this.#takeRobot((body as Json).openConversationId as string, body as Json),
      },
      'POST /v1.0/robot/oToMessages/batchSend': {
        body: Type.Object({ userIds: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }), ...RobotMessage }),
        rule: ruleOf,
        answer: ({ body }) => {
          const [user = ''] = (body as { userIds: string[] }).userIds
          if (user === ALICE || user === BOB) return this.#takeRobot(user, body as Json)
          return { body: { processQueryKey: '', invalidStaffIdList: [user], flowControlledStaffIdList: [] } }
        },
      },
      'POST /robot/sendBySession': {
        isPublic: true,
        query: Type.Object({ session: Type.String() }),
        body: Answer,
        rule: ({ body }) => {
          const { msgtype, text, markdown } = body as Json
          const isWhole = msgtype === 'text' ? text && !markdown : markdown && !text
          return isWhole ? undefined : 'the content is not of the type of the message'
        },
        answer: ({ query, body }) => this.#takeAnswer(query.session ?? '', body as Json),
      },
    }
  }

  #media(): Record<string, StrictRoute> {
    return {
      'POST /media/upload': {
        query: Type.Object({ access_token: Type.String(), type: Type.Enum(['image', 'file']) }),
        rule: ({ body }) =>
          body instanceof FormData && body.get('media') instanceof Blob ? undefined : 'there is no form with `media`',
        answer: async ({ body, query }) => {
          const id = `@media${++this.#ids}`
          this.#files.set(id, Buffer.from(await ((body as FormData).get('media') as Blob).arrayBuffer()))
          return { body: { errcode: 0, errmsg: 'ok', type: query.type, media_id: id, created_at: Date.now() } }
        },
      },
      'POST /v1.0/robot/messageFiles/download': {
        body: Type.Object({ downloadCode: Type.String({ minLength: 1 }), robotCode: Type.String({ minLength: 1 }) }),
        answer: ({ body }) => {
          if (!this.hasPermission)
            return refusal(403, 'Forbidden.AccessDenied.AccessTokenPermissionDenied', 'qyapi_robot_sendmsg is missing')
          const { downloadCode } = body as { downloadCode: string }
          if (downloadCode.startsWith('http')) return { body: { downloadUrl: downloadCode } }
          if (!this.#files.has(downloadCode)) return refusal(400, 'invalid.downloadCode', 'unknown downloadCode')
          return { body: { downloadUrl: `${this.http.url}/files/${encodeURIComponent(downloadCode)}` } }
        },
      },
      'GET /files/:id': { isPublic: true, answer: ({ params }) => ({ body: this.#files.get(params.id ?? '') }) },
    }
  }

  #isKnown(id: string, secret: string): boolean {
    return this.#known.some(({ clientId, clientSecret }) => clientId === id && clientSecret === secret)
  }

  #isLimited(): boolean {
    const limit = this.#limit
    if (!limit || limit.now() >= (limit.until ?? Infinity)) return false
    // The time begins with the first message that is refused.
    if (limit.until === undefined) limit.until = limit.now() + limit.ms
    else this.early++
    return true
  }

  #takeRobot(to: string, { msgKey, msgParam }: Json): StrictAnswer {
    if (this.#isLimited()) return { status: 200, body: { errcode: 130_101, errmsg: 'send too fast' } }
    const param = JSON.parse(msgParam as string) as Json
    const key = `key-${++this.#ids}`
    const source = param.photoURL ?? param.mediaId
    const text = String(param.content ?? param.text ?? source)
    this.sent.push({ to, kind: msgKey as string, text, by: 'robot', key, bytes: this.#files.get(String(source)) })
    return { body: { processQueryKey: key, invalidStaffIdList: [], flowControlledStaffIdList: [] } }
  }

  #takeAnswer(session: string, body: Json): StrictAnswer {
    const to = this.#sessions.get(session)
    if (to === undefined) return { body: { errcode: 300_001, errmsg: 'session is not exist' } }
    if (this.#isLimited()) return { body: { errcode: 130_101, errmsg: 'send too fast, exceed 20 times per minute' } }
    const { text = {}, markdown = {} } = body as Record<string, Json>
    const words = String(text.content ?? markdown.text)
    this.sent.push({ to, kind: body.msgtype as string, text: words, by: 'session', at: body.at })
    return { body: { errcode: 0, errmsg: 'ok' } }
  }

  #welcome(socket: WebSocket, account: Account): void {
    account.sockets.add(socket)
    socket.on('close', () => account.sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('message', (raw) => this.#acknowledged(account, String(raw as Buffer)))
    const headers = { contentType: 'application/json', messageId: randomUUID(), time: String(Date.now()) }
    socket.send(JSON.stringify({ specVersion: '1.0', type: 'SYSTEM', headers: { ...headers, topic: 'CONNECTED' } }))
    const ping = { ...headers, messageId: `ping-${++this.#ids}`, topic: 'ping' }
    socket.send(JSON.stringify({ specVersion: '1.0', type: 'SYSTEM', headers: ping, data: '{"opaque":"0"}' }))
    for (const { frame } of account.waiting) socket.send(frame)
  }

  #acknowledged(account: Account, raw: string): void {
    const wrong = mistakesIn(Acknowledgement, JSON.parse(raw)).map(({ path, message }) => `${path} ${message}`)
    if (wrong.length > 0) return this.http.report(`a frame is wrong: ${wrong.join('; ')}: ${raw}`)
    const { headers, data } = JSON.parse(raw) as { headers: { messageId: string }; data: string }
    if (headers.messageId.startsWith('ping-')) {
      if (data !== '{"opaque":"0"}') this.http.report(`the answer to a ping is wrong: ${raw}`)
      return void this.pongs++
    }
    if (!('response' in (JSON.parse(data) as Json))) this.http.report(`an acknowledgement has no response: ${raw}`)
    const at = account.waiting.findIndex(({ id }) => id === headers.messageId)
    if (at >= 0) account.waiting.splice(at, 1)
  }

  /** Messages that the bot has not acknowledged. */
  unacknowledged(clientId = CLIENT_ID): number {
    return this.#accounts.get(clientId)?.waiting.length ?? 0
  }

  /** Says something to the bot, which is delivered until it is acknowledged. */
  say(text: string, more: Json = {}, clientId = CLIENT_ID): void {
    const isPrivate = more.conversationType === '1'
    const staff = String(more.senderStaffId ?? ALICE)
    const session = `session-${++this.#ids}`
    this.#sessions.set(session, isPrivate ? staff : String(more.conversationId ?? ROOM))
    // Only the newest can be answered in these tests.
    this.#sessions.delete(`session-${this.#ids - 1_000}`)
    this.deliver(
      {
        conversationId: ROOM,
        conversationType: '2',
        conversationTitle: 'The room',
        chatbotCorpId: 'dingcorp',
        chatbotUserId: '$:LWCP_v1:$bot',
        msgId: `msg${randomUUID()}`,
        senderNick: 'Alice',
        isAdmin: false,
        senderStaffId: staff,
        senderId: `$:LWCP_v1:$${staff}`,
        sessionWebhook: `${this.http.url}/robot/sendBySession?session=${session}`,
        sessionWebhookExpiredTime: Date.now() + SESSION_MS,
        createAt: Date.now(),
        isInAtList: true,
        robotCode: clientId,
        msgtype: 'text',
        text: { content: isPrivate ? text : ` ${text}` },
        ...more,
      },
      clientId,
    )
  }

  deliver(data: unknown, clientId = CLIENT_ID): void {
    const account = this.#accounts.get(clientId)
    if (!account) throw new Error(`there is no account ${clientId}`)
    const id = `frame-${++this.#ids}`
    const headers = { appId: 'app', connectionId: '1', contentType: 'application/json', messageId: id, topic: TOPIC }
    const frame = JSON.stringify({ specVersion: '1.0', type: 'CALLBACK', headers, data: JSON.stringify(data) })
    account.last = { id, frame }
    account.waiting.push(account.last)
    this.#emit(account, frame)
  }

  /** DingTalk gives a message to one of the connections. */
  #emit(account: Account, frame: string): void {
    ;[...account.sockets].at(-1)?.send(frame)
  }

  /** Delivers the last message again, as if its acknowledgement were lost. */
  redeliver(clientId = CLIENT_ID): void {
    const account = this.#accounts.get(clientId)
    if (!account?.last) throw new Error('nothing was said')
    account.waiting.push(account.last)
    this.#emit(account, account.last.frame)
  }

  /** Sends a frame as it is. */
  frame(value: unknown): void {
    for (const account of this.#accounts.values()) this.#emit(account, JSON.stringify(value) ?? 'undefined')
  }

  /** Keeps bytes that a user sends, and returns their `downloadCode`. */
  keep(bytes: Uint8Array): string {
    const code = `code-${++this.#ids}`
    this.#files.set(code, Buffer.from(bytes))
    return code
  }

  forgetTokens(): void {
    this.#tokens.clear()
  }

  limit(ms: number, now: () => number): void {
    this.#limit = { ms, now, until: undefined }
  }

  refuse(times: number): void {
    this.http.fault(SENDING, refusal(403, 'Forbidden.AccessDenied', 'forbidden in this chat'), times)
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
