import { WebSocket, type RawData } from 'ws'
import { systemClock, type Clock, type Logger } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import { DOMAIN, type LarkConfig } from './config.js'
import { ConfigurationError } from './errors.js'
import { CONTROL, DATA, decodeFrame, encodeFrame, type Frame } from './frame.js'
import type { Rest } from './rest.js'
import { countOf, fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const MAX_FRAME = 4 * 1024 * 1024
const MAX_FRAGMENTS = 256
const MAX_OPEN = 64
const HANDSHAKE_MS = 15_000
/** Lark asks for a ping every two minutes. Here they are sooner, since a silent server is noticed after two. */
const LONGEST_BEAT_MS = 40_000
const SHORTEST_BEAT_MS = 1_000
const CLOSE_MS = 1_000
const MAX_WAITING = 256
/** Lark takes the answer to a pressed button for three seconds. */
const ANSWER_MS = 2_500

/** The address of a connection, and how often it is pinged. */
export interface Place {
  readonly url: string
  readonly beatMs: number
}

/** Where Lark names no time, its own client waits for two minutes. */
const beatOf = (seconds: unknown): number =>
  Math.min(Math.max(1_000 * (countOf(seconds) || Infinity), SHORTEST_BEAT_MS), LONGEST_BEAT_MS)

/** Asks where to connect. */
export async function placeOf(rest: Rest, { appId, appSecret, domain = DOMAIN }: LarkConfig): Promise<Place> {
  const { data } = await rest.open('/callback/ws/endpoint', { AppID: appId, AppSecret: appSecret })
  const { URL: url, ClientConfig: config } = fieldsOf(data)
  const address = textOf(url, 4_096)
  // It has a ticket, which is only sent over TLS, unless Lark itself is a local server.
  const isSafe = address.startsWith('wss:') || (address.startsWith('ws:') && domain.startsWith('http:'))
  if (!isSafe || !URL.canParse(address))
    throw new ConfigurationError('The answer has no address of a socket: check `domain`')
  return { url: address, beatMs: beatOf(fieldsOf(config).PingInterval) }
}

export interface SocketOptions {
  readonly place: Place
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  /** Takes an event. The next one waits until it settles, and Lark repeats it if it rejects. */
  readonly onEvent: (event: Fields) => Promise<void>
  readonly onLost: (reason: Error) => void
}

/** One connection for events. It does not connect again by itself. */
export class Socket {
  readonly #options: SocketOptions
  readonly #socket: WebSocket
  readonly #fragments = new LruMap<string, (Uint8Array | undefined)[]>(MAX_OPEN)
  readonly #service: number
  #lane: Promise<void> = Promise.resolve()
  #waiting = 0
  #beatMs: number
  #hasHeard = true
  #isEnded = false
  #cancelBeat = (): void => {}
  /** Settles the opening, once. */
  #opened: ((error?: Error) => void) | undefined

  private constructor(options: SocketOptions) {
    this.#options = options
    const { url, beatMs } = options.place
    this.#beatMs = beatMs
    this.#service = Number(new URL(url).searchParams.get('service_id')) | 0
    this.#socket = new WebSocket(url, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    })
    this.#socket.on('open', () => {
      this.#beat()
      this.#opened?.()
    })
    this.#socket.on('message', (data) => this.#take(data))
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(new Error(`The socket cannot be reached (${error.code ?? 'the connection broke'})`)),
    )
    this.#socket.on('close', (code) => this.#end(new Error(`Lark closed the connection (${code})`)))
    options.signal.addEventListener('abort', this.#abort, { once: true })
  }

  /** Resolves when events can arrive. */
  static open(options: SocketOptions): Promise<Socket> {
    const socket = new Socket(options)
    return new Promise((resolve, reject) => {
      socket.#opened = (error) => {
        socket.#opened = undefined
        if (!error) return resolve(socket)
        socket.close().then(() => reject(error), reject)
      }
    })
  }

  /** Resolves when no event is handled any more. */
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
    const ping = { sequence: 0n, log: 0n, service: this.#service, method: CONTROL, headers: { type: 'ping' } }
    this.#send({ ...ping, payload: new Uint8Array() })
    this.#cancelBeat = this.#options.clock.setTimeout(() => {
      // While this side does not read, silence says nothing.
      if (!this.#hasHeard && !this.#socket.isPaused) return this.#end(new Error('Lark is silent'))
      this.#hasHeard = false
      this.#beat()
    }, this.#beatMs)
  }

  #send(frame: Frame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(encodeFrame(frame))
  }

  #take(raw: RawData): void {
    this.#hasHeard = true
    let frame: Frame
    try {
      frame = decodeFrame(raw as Buffer)
    } catch {
      // It is no frame, and has no number by which it could be refused.
      return
    }
    if (this.#isEnded) return
    if (frame.method === CONTROL && frame.headers.type === 'pong') return this.#adjust(frame)
    if (frame.method !== DATA || frame.headers.type !== 'event') return
    const payload = this.#whole(frame)
    if (!payload) return
    if (++this.#waiting === MAX_WAITING) this.#socket.pause()
    const event = parseObject(payload.toString('utf8'))
    // A pressed button is answered in time, even where the store is slow.
    const isButton = fieldsOf(event?.header).event_type === 'card.action.trigger'
    const answer = once(() => this.#acknowledge(frame))
    const cancel = isButton ? this.#options.clock.setTimeout(answer, ANSWER_MS) : () => {}
    this.#lane = this.#lane.then(() => this.#handle(event, answer)).finally(cancel)
  }

  /** A pong may change how often Lark wants a ping. */
  #adjust({ payload }: Frame): void {
    const { PingInterval: seconds } = fieldsOf(parseObject(Buffer.from(payload).toString('utf8')))
    if (seconds !== undefined) this.#beatMs = beatOf(seconds)
  }

  /** Returns the event of a frame, once all its fragments are there. */
  #whole({ headers, payload }: Frame): Buffer | undefined {
    const { message_id: id = '', sum, seq } = headers
    const count = Number(sum ?? 1)
    const index = Number(seq ?? 0)
    if (!(Number.isInteger(count) && count >= 1 && count <= MAX_FRAGMENTS)) return undefined
    if (!(Number.isInteger(index) && index >= 0 && index < count)) return undefined
    if (count === 1) return Buffer.from(payload)
    const known = this.#fragments.get(id)
    const parts = known?.length === count ? known : Array.from<Uint8Array | undefined>({ length: count })
    parts[index] = payload
    this.#fragments.set(id, parts)
    const whole = parts.filter((part) => part !== undefined)
    if (whole.length < count) return undefined
    this.#fragments.delete(id)
    return Buffer.concat(whole)
  }

  async #handle(event: Fields | undefined, answer: () => void): Promise<void> {
    try {
      if (this.#isEnded) return
      // An unreadable event would be repeated for nothing.
      if (event) await this.#options.onEvent(event)
      answer()
    } catch (error) {
      this.#options.log.warn('failed to receive an event, which Lark will repeat', { error })
    } finally {
      if (--this.#waiting < MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
    }
  }

  #acknowledge(frame: Frame): void {
    const headers = { ...frame.headers, biz_rt: '0' }
    this.#send({ ...frame, headers, payload: Buffer.from(JSON.stringify({ code: 200 })) })
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
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
