// A strict server of OneBot 11 for one account: it checks each frame, and fails the test for a wrong one.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { Conversation } from './conversation.js'
import { mistakesInRequest } from './frame-schemas.js'
import { RateLimit } from './rate-limit.js'

export const TOKEN = 'token-of-the-onebot-server'
export const SECRET = 'secret-of-the-posts'
export const SELF = 10_001
export const ALICE = 20_001
export const GROUP = 700_001

type Json = Record<string, unknown>
export interface Segment {
  readonly type: string
  readonly data: Json
}
interface Request {
  readonly action: string
  readonly params: Json & { readonly message?: readonly Segment[] }
  readonly echo: string
}
type Answer = Json | 'swallow' | 'drop'

const ok = (data: unknown): Json => ({ status: 'ok', retcode: 0, data })
export const failed = (retcode: number, wording = ''): Json => ({
  status: 'failed',
  retcode,
  data: null,
  message: '',
  wording,
})

export class OneBotServer {
  readonly requests: Request[] = []
  readonly faults: string[] = []
  readonly conversation = new Conversation()
  readonly limit = new RateLimit()
  /** Answers that replace the next ones of an action. */
  readonly #scripted = new Map<string, Answer[]>()
  readonly #sockets = new Set<WebSocket>()
  /** Above 2^32, as servers of large groups have them. */
  #lastId = 2 ** 33
  #time = Math.floor(Date.now() / 1000)
  #lastEvent: Json | undefined
  #history: Json[] = []
  /** Holds answers back until so many wait, and sends the last one first. */
  reorder = 0
  online = true
  /** The number of the account. */
  self = SELF
  token = TOKEN
  #held: (() => void)[] = []
  #listener: Server | undefined
  #port = 0
  #dial: string | undefined
  #post: string | undefined
  #isMute = false
  /** Whether requests are kept. Not where the memory of the bot is measured. */
  records = true

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens for clients: forward WebSockets and requests over HTTP. */
  async listen(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.headers.authorization !== `Bearer ${this.token}`) return response.writeHead(401).end()
        if (this.#isMute) return
        const action = (request.url ?? '/').slice(1)
        const params = JSON.parse(Buffer.concat(chunks).toString()) as Json
        const wait = this.limit.wait(action)
        if (wait > 0) return response.writeHead(429, { 'retry-after': String(Math.ceil(wait / 1000)) }).end()
        const answer = this.#answer({ action, params, echo: 'http' })
        if (answer === 'drop') response.destroy()
        else if (answer !== 'swallow')
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      })
    })
    const sockets = new WebSocketServer({
      server,
      verifyClient: ({ req }, done) => done(this.#admits(req.headers.authorization, req.url), 401),
    })
    sockets.on('connection', (socket) => this.#adopt(socket))
    this.#listener = server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  #admits(authorization: string | undefined, url = '/'): boolean {
    return (
      authorization === `Bearer ${this.token}` ||
      new URL(url, 'http://x').searchParams.get('access_token') === this.token
    )
  }

  /** Connects to a host, again when the connection ends. */
  dial(url: string): void {
    this.#dial = url
    const attempt = (): void => {
      if (this.#dial !== url) return
      const socket = this.open(url)
      socket.once('close', () => setTimeout(attempt, 20))
    }
    attempt()
  }

  /** Opens one connection to a host. */
  open(url: string, headers: Record<string, string> = {}): WebSocket {
    const socket = new WebSocket(url, {
      headers: {
        authorization: `Bearer ${this.token}`,
        'x-self-id': String(this.self),
        'x-client-role': 'Universal',
        ...headers,
      },
    })
    socket.on('error', () => {})
    socket.once('open', () => this.#adopt(socket))
    return socket
  }

  /** Posts events to a host from now on. */
  postTo(url: string): void {
    this.#post = url
  }

  #adopt(socket: WebSocket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as Request
      const answer = this.#answer(frame)
      if (answer === 'drop') return socket.terminate()
      if (answer === 'swallow') return
      this.#held.push(() => socket.send(JSON.stringify({ ...answer, echo: frame.echo })))
      if (this.#held.length < this.reorder) return
      for (const send of this.#held.splice(0).reverse()) send()
    })
    socket.send(JSON.stringify({ ...this.#event('meta_event'), meta_event_type: 'lifecycle', sub_type: 'connect' }))
  }

  #answer(frame: Request): Answer {
    this.faults.push(...mistakesInRequest(frame))
    if (this.records) this.requests.push(frame)
    const scripted = this.#scripted.get(frame.action)?.shift()
    if (scripted === 'swallow') this.#act(frame)
    return scripted ?? this.#act(frame)
  }

  #act(frame: Request): Json {
    switch (frame.action) {
      case 'get_login_info':
        return ok({ user_id: this.self, nickname: 'Mynah' })
      case 'get_status':
        return ok({ online: this.online, good: true })
      case 'get_group_list':
        return ok([
          { group_id: GROUP, group_name: 'Room', member_count: 2 },
          { group_id: GROUP + 1, group_name: 'Other' },
        ])
      case 'get_group_msg_history':
        return ok({ messages: this.#history.filter(({ group_id: group }) => group === frame.params.group_id) })
      case 'send_group_msg':
      case 'send_private_msg': {
        const id = this.#nextId()
        this.conversation.takes(id, frame.params.message ?? [])
        return ok({ message_id: id })
      }
      case 'set_msg_emoji_like':
        this.conversation.reacts(frame.params.message_id, frame.params.emoji_id, frame.params.set)
        return ok(null)
      default:
        return ok(null)
    }
  }

  /** Lets the next requests of an action end otherwise. */
  script(action: string, ...answers: Answer[]): void {
    this.#scripted.set(action, answers)
  }

  #nextId(): number {
    return ++this.#lastId
  }

  #event(type: string): Json {
    return { time: this.#time, self_id: this.self, post_type: type }
  }

  /** Sends an event to all that are connected. Resolves when posts are answered. */
  async emit(event: Json): Promise<void> {
    const text = JSON.stringify(event)
    this.#lastEvent = event
    for (const socket of this.#sockets) socket.send(text)
    if (this.#post) await this.post(event)
  }

  emitRaw(data: string | Buffer): void {
    for (const socket of this.#sockets) socket.send(data)
  }

  async post(event: Json, signature?: string, url = this.#post as string): Promise<number> {
    const body = JSON.stringify(event)
    const right = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
    const headers = {
      'content-type': 'application/json',
      'x-self-id': String(this.self),
      'x-signature': signature ?? right,
    }
    return (await fetch(url, { method: 'POST', body, headers })).status
  }

  /** Says something as Alice, in the group or in private. */
  say(message: string | readonly Segment[], more: Json = {}, isPrivate = false): Promise<void> {
    const id = this.#nextId()
    this.conversation.hears(id, message)
    const event = {
      ...this.#event('message'),
      message_type: isPrivate ? 'private' : 'group',
      sub_type: isPrivate ? 'friend' : 'normal',
      message_id: id,
      user_id: ALICE,
      ...(isPrivate ? {} : { group_id: GROUP }),
      message: typeof message === 'string' ? [{ type: 'text', data: { text: message } }] : message,
      sender: { user_id: ALICE, nickname: 'Alice', card: '', role: 'member' },
      ...more,
    }
    if (!isPrivate) this.#history = [...this.#history.slice(-99), event]
    return this.emit(event)
  }

  notice(fields: Json): Promise<void> {
    return this.emit({ ...this.#event('notice'), ...fields })
  }

  request(fields: Json): Promise<void> {
    return this.emit({ ...this.#event('request'), ...fields })
  }

  heartbeat(interval: number): Promise<void> {
    return this.emit({
      ...this.#event('meta_event'),
      meta_event_type: 'heartbeat',
      interval,
      status: { online: true, good: true },
    })
  }

  async redeliver(): Promise<void> {
    if (this.#lastEvent) await this.emit(this.#lastEvent)
  }

  called(action: string): Json[] {
    return this.requests.filter((request) => request.action === action).map(({ params }) => params)
  }

  get connections(): number {
    return this.#sockets.size
  }

  /** Stops reading, so that nothing is answered and no connection ends. */
  freeze(): void {
    this.#isMute = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Dies at once. */
  async kill(): Promise<void> {
    this.#dial = undefined
    for (const socket of this.#sockets) socket.terminate()
    this.#sockets.clear()
    const server = this.#listener
    this.#listener = undefined
    if (!server) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }

  async stop(): Promise<void> {
    this.#post = undefined
    this.records = false
    await this.kill()
  }

  /** Fails where a frame was wrong. */
  check(): void {
    if (this.faults.length > 0) throw new Error(`wrong frames: ${this.faults.slice(0, 5).join('; ')}`)
  }
}
