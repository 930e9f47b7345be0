import { randomBytes } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import { systemClock, type Clock, type Logger } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { dataOf, tokenMistake, type Transport } from './action.js'
import { parseFrame, textOf, type Frame } from './wire.js'

/** Settings of both ends. Lists of the largest groups have two megabytes. */
export const SOCKET_LIMITS = { maxPayload: 8 * 1024 * 1024, perMessageDeflate: false } as const
/** The unit of all limits of time. A clock that jumps must not end a connection. */
const TICK_MS = 5_000
const PING_TICKS = 6
/** Ticks without a word of the server, 85 to 90 s. */
const SILENT_TICKS = 18
/** Ticks until an answer counts as lost, 30 to 35 s. */
const ANSWER_TICKS = 7
const HEARTBEATS = 3
const LONGEST_HEARTBEAT_MS = 3_600_000
/** Events that wait before the socket is not read any more. */
const MAX_WAITING = 64
/** Time for the other side to close, ms. */
const CLOSE_MS = 2_000

interface Pending {
  readonly action: string
  readonly resolve: (data: unknown) => void
  readonly reject: (error: Error) => void
  ticks: number
}

export interface SocketTransportOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Takes an event. The next one waits until it resolves. */
  readonly onEvent: (event: Frame) => Promise<void>
  readonly onLost: (reason: string) => void
}

/** One WebSocket, whichever side has opened it. */
export class SocketTransport implements Transport {
  readonly #socket: WebSocket
  readonly #options: SocketTransportOptions
  readonly #pending = new Map<string, Pending>()
  readonly #prefix = randomBytes(6).toString('hex')
  readonly #stopTicks: () => void
  #calls = 0
  #events: Promise<void> = Promise.resolve()
  #waiting = 0
  #silentTicks = 0
  #heartbeatTicks = Infinity
  #ended = false

  constructor(socket: WebSocket, options: SocketTransportOptions) {
    this.#socket = socket
    this.#options = options
    socket.on('message', (data: RawData) => this.#take(data))
    socket.on('pong', () => this.#heard())
    socket.on('ping', () => this.#heard())
    socket.on('error', (error) => this.#end(`The connection to the OneBot server broke: ${error.message}`))
    socket.on('close', (code, reason) => {
      const words = textOf(reason.toString('utf8'), 123).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '')
      this.#end(`The OneBot server closed the connection (${code}${words && ` ${words}`})`)
    })
    this.#stopTicks = options.clock.setInterval(() => this.#tick(), TICK_MS)
    if (socket.isPaused) socket.resume()
  }

  call(action: string, params: Frame): Promise<unknown> {
    if (this.#ended || this.#socket.readyState !== this.#socket.OPEN)
      return Promise.reject(new SendError('offline', 'There is no connection to the OneBot server'))
    const echo = `${this.#prefix}-${++this.#calls}`
    return new Promise((resolve, reject) => {
      this.#pending.set(echo, { action, resolve, reject, ticks: 0 })
      this.#socket.send(JSON.stringify({ action, params, echo }))
    })
  }

  async close(): Promise<void> {
    this.#end('The connection was closed')
    await closeSocket(this.#socket)
    await this.#events
  }

  #heard(): void {
    this.#silentTicks = 0
  }

  #take(data: RawData): void {
    this.#heard()
    const frame = parseFrame((data as Buffer).toString('utf8'))
    if (!frame) return this.#options.log.debug('a frame of the OneBot server is no JSON object')
    if (typeof frame.post_type === 'string') return this.#takeEvent(frame)
    const echo = textOf(frame.echo, 64)
    const pending = this.#pending.get(echo)
    if (pending) {
      this.#pending.delete(echo)
      try {
        pending.resolve(dataOf(pending.action, frame))
      } catch (error) {
        pending.reject(error as Error)
      }
    } else if (frame.status === 'failed' && echo === '') {
      // Servers that refuse a token say so in a frame of its own.
      const mistake = tokenMistake(Number(frame.retcode))
      if (mistake) this.#end(mistake)
    }
  }

  #takeEvent(event: Frame): void {
    if (event.post_type === 'meta_event') return this.#takeMeta(event)
    if (++this.#waiting === MAX_WAITING) this.#socket.pause()
    this.#events = this.#events
      .then(() => this.#options.onEvent(event))
      .finally(() => {
        if (--this.#waiting < MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
      })
  }

  #takeMeta({ meta_event_type: type, interval }: Frame): void {
    if (type !== 'heartbeat' || typeof interval !== 'number' || !(interval > 0)) return
    this.#heartbeatTicks = 1 + Math.ceil((HEARTBEATS * Math.min(interval, LONGEST_HEARTBEAT_MS)) / TICK_MS)
  }

  #tick(): void {
    // While this side does not read, silence says nothing.
    if (this.#socket.isPaused) return
    for (const [echo, pending] of this.#pending) {
      if (++pending.ticks < ANSWER_TICKS) continue
      this.#pending.delete(echo)
      pending.reject(new Error(`The OneBot server has not answered ${pending.action} within 30 s`))
    }
    if (++this.#silentTicks >= SILENT_TICKS) return this.#end('The OneBot server has said nothing for 90 s')
    if (--this.#heartbeatTicks <= 0) return this.#end(`${HEARTBEATS} heartbeats of the OneBot server are missing`)
    if (this.#silentTicks % PING_TICKS === 0 && this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  #end(reason: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#stopTicks()
    for (const { action, reject } of this.#pending.values())
      reject(new Error(`The connection ended before the OneBot server answered ${action}`))
    this.#pending.clear()
    this.#options.onLost(reason)
  }
}

/** Closes a socket, at the latest after two seconds. */
export function closeSocket(socket: WebSocket, code = 1001, reason = ''): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = systemClock.setTimeout(() => socket.terminate(), CLOSE_MS)
    socket.on('error', () => {})
    socket.once('close', () => {
      cancel()
      resolve()
    })
    // A socket that is not read never sees the answer.
    if (socket.isPaused) socket.resume()
    socket.close(code, reason)
  })
}
