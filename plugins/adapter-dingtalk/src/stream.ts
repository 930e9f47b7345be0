import { WebSocket, type RawData } from 'ws'
import { systemClock, type Clock, type Logger } from '@mynah/kernel'
import { API_ROOT } from './config.js'
import { ConfigurationError } from './errors.js'
import type { Rest } from './rest.js'
import { fieldsOf, idOf, parseObject, textOf, type Fields } from './wire.js'

const TOPIC = '/v1.0/im/bot/messages/get'
const MAX_FRAME = 4 * 1024 * 1024
const HANDSHAKE_MS = 15_000
/** A connection from which nothing came for two of these is lost, ms. */
const BEAT_MS = 30_000
const CLOSE_MS = 1_000
/** Messages that wait before the socket is not read any more. */
const MAX_WAITING = 256

/** Returns the address of a connection, which is valid once. */
export async function streamAddress(
  rest: Rest,
  { clientId, clientSecret, apiRoot = API_ROOT }: { clientId: string; clientSecret: string; apiRoot?: string },
): Promise<string> {
  const subscriptions = [{ type: 'CALLBACK', topic: TOPIC }]
  const answer = await rest.open('/v1.0/gateway/connections/open', {
    clientId,
    clientSecret,
    ua: 'mynah',
    subscriptions,
  })
  const endpoint = textOf(answer.endpoint, 2_048)
  const ticket = textOf(answer.ticket, 2_048)
  // The ticket is only sent over TLS, unless DingTalk itself is a local server.
  const isSafe = endpoint.startsWith('wss:') || (endpoint.startsWith('ws:') && apiRoot.startsWith('http:'))
  if (!isSafe || !URL.canParse(endpoint) || ticket === '')
    throw new ConfigurationError('The answer has no address of a stream: check `apiRoot`')
  const url = new URL(endpoint)
  url.searchParams.set('ticket', ticket)
  return url.href
}

export interface StreamOptions {
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  /** Takes a message. The next one waits until it settles, and DingTalk repeats it if it rejects. */
  readonly onMessage: (data: Fields) => Promise<void>
  readonly onLost: (reason: Error) => void
}

/** One connection for messages. It does not connect again by itself. */
export class Stream {
  readonly #options: StreamOptions
  readonly #socket: WebSocket
  #lane: Promise<void> = Promise.resolve()
  #waiting = 0
  #hasHeard = true
  #isEnded = false
  #cancelBeat = (): void => {}
  /** Settles the opening, once. */
  #opened: ((error?: Error) => void) | undefined

  private constructor(options: StreamOptions) {
    this.#options = options
    this.#socket = new WebSocket(options.url, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    })
    this.#socket.on('open', () => {
      this.#beat()
      this.#opened?.()
    })
    for (const event of ['message', 'ping', 'pong'] as const)
      this.#socket.on(event, () => {
        this.#hasHeard = true
      })
    this.#socket.on('message', (data) => this.#take(data))
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(new Error(`The stream cannot be reached (${error.code ?? 'the connection broke'})`)),
    )
    this.#socket.on('close', (code) => this.#end(new Error(`DingTalk closed the connection (${code})`)))
    options.signal.addEventListener('abort', this.#abort, { once: true })
  }

  /** Resolves when messages can arrive. */
  static open(options: StreamOptions): Promise<Stream> {
    const stream = new Stream(options)
    return new Promise((resolve, reject) => {
      stream.#opened = (error) => {
        stream.#opened = undefined
        if (!error) return resolve(stream)
        stream.close().then(() => reject(error), reject)
      }
    })
  }

  /** Resolves when no message is handled any more. */
  async close(): Promise<void> {
    this.#stop()
    await closed(this.#socket)
    await this.#lane
  }

  readonly #abort = (): void => this.#end(new Error('The connection was closed'))

  #stop(): void {
    this.#isEnded = true
    this.#cancelBeat()
    this.#options.signal.removeEventListener('abort', this.#abort)
  }

  #end(reason: Error): void {
    if (this.#isEnded) return
    this.#stop()
    if (this.#opened) this.#opened(reason)
    else this.#options.onLost(reason)
  }

  #beat(): void {
    this.#cancelBeat = this.#options.clock.setTimeout(() => {
      // While this side does not read, silence says nothing.
      if (!this.#hasHeard && !this.#socket.isPaused) return this.#end(new Error('DingTalk is silent'))
      this.#hasHeard = false
      this.#socket.ping()
      this.#beat()
    }, BEAT_MS)
  }

  #take(raw: RawData): void {
    const frame = parseObject((raw as Buffer).toString('utf8'))
    if (!frame || this.#isEnded) return
    const { topic, messageId } = fieldsOf(frame.headers)
    const id = idOf(messageId)
    if (frame.type === 'SYSTEM' && topic === 'disconnect') return this.#end(new Error('DingTalk asks to connect again'))
    if (id === undefined) return
    const data = textOf(frame.data, MAX_FRAME)
    if (frame.type === 'SYSTEM' && topic === 'ping') return this.#acknowledge(id, data)
    if (frame.type !== 'CALLBACK' || topic !== TOPIC) return
    if (++this.#waiting === MAX_WAITING) this.#socket.pause()
    this.#lane = this.#lane.then(() => this.#handle(id, parseObject(data)))
  }

  async #handle(id: string, data: Fields | undefined): Promise<void> {
    try {
      if (this.#isEnded) return
      // An unreadable message would be repeated for nothing.
      if (data) await this.#options.onMessage(data)
      this.#acknowledge(id, JSON.stringify({ response: null }))
    } catch (error) {
      this.#options.log.warn('failed to receive a message, which DingTalk will repeat', { error })
    } finally {
      if (--this.#waiting < MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
    }
  }

  #acknowledge(messageId: string, data: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    const headers = { contentType: 'application/json', messageId }
    this.#socket.send(JSON.stringify({ code: 200, headers, message: 'OK', data }))
  }
}

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = systemClock.setTimeout(() => socket.terminate(), CLOSE_MS)
    socket.once('close', () => {
      cancel()
      resolve()
    })
    if (socket.isPaused) socket.resume()
    if (socket.readyState === socket.CONNECTING) socket.terminate()
    else socket.close()
  })
}
