import { WebSocket, type RawData } from 'ws'
import { systemClock, toError, type Clock } from '@mynah/kernel'
import { ConfigurationError, closeError } from './errors.js'
import type { Session } from './positions.js'
import { countOf, fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const MAX_FRAME = 32 * 1024 * 1024
const HANDSHAKE_MS = 15_000
/** Time for the first word, and for the answer to a login, ms. */
const READY_MS = 30_000
const SHORTEST_BEAT_MS = 1_000
const LONGEST_BEAT_MS = 60_000
/** Events that wait before the socket is not read any more. */
const MAX_WAITING = 256
const CLOSE_MS = 1_000
/** Any code but 1000 and 1001, which end the session. */
const KEEP_SESSION = 4_000

/** An event of the gateway. */
export interface Dispatch {
  readonly type: string
  readonly data: Fields
  readonly sequence: number
}

export interface GatewayOptions {
  readonly url: string
  readonly clock: Clock
  readonly token: string
  readonly intents: number
  readonly signal: AbortSignal
  /** The session to resume, with the last event that was accepted. */
  readonly session: () => Session | undefined
  /** The session is over: a new one begins. */
  readonly forget: () => void
  /** Called as soon as an event arrives. */
  readonly onArrival: (event: Dispatch) => void
  /** Takes an event. The next one waits until it resolves. */
  readonly onDispatch: (event: Dispatch) => Promise<void>
  readonly onLost: (reason: Error) => void
}

/** One connection to the gateway. It does not connect again by itself. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #socket: WebSocket
  #lane: Promise<void> = Promise.resolve()
  #waiting = 0
  #isAcknowledged = true
  #isEnded = false
  /** Settles the opening, once. */
  #opened: ((error?: Error) => void) | undefined
  readonly #timers = new Set<() => void>()

  private constructor(options: GatewayOptions) {
    this.#options = options
    this.#socket = new WebSocket(withVersion(options.url), {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
    })
    this.#socket.on('message', (data) => this.#take(data))
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(new Error(`The gateway cannot be reached (${error.code ?? 'the connection broke'})`)),
    )
    this.#socket.on('close', (code) => {
      // The session cannot be resumed: the sequence is wrong, or too much time has passed.
      if (code === 4007 || code === 4009) options.forget()
      this.#end(closeError(code))
    })
    options.signal.addEventListener('abort', this.#abort, { once: true })
  }

  /** Resolves when the login has succeeded or the session was resumed. */
  static open(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options)
    return new Promise((resolve, reject) => {
      const cancel = options.clock.setTimeout(
        () => gateway.#end(new Error(`The gateway has not answered within ${READY_MS / 1000} s`)),
        READY_MS,
      )
      gateway.#opened = (error) => {
        cancel()
        gateway.#opened = undefined
        if (!error) return resolve(gateway)
        gateway.close().then(() => reject(error), reject)
      }
    })
  }

  /** Resolves when no event is handled any more. The session can be resumed. */
  async close(): Promise<void> {
    this.#stop()
    await closed(this.#socket)
    await this.#lane
  }

  readonly #abort = (): void => this.#end(new Error('The connection was closed'))

  #stop(): void {
    this.#isEnded = true
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#options.signal.removeEventListener('abort', this.#abort)
  }

  #end(reason: Error): void {
    if (this.#isEnded) return
    this.#stop()
    if (this.#opened) this.#opened(reason)
    else this.#options.onLost(reason)
  }

  #after(ms: number, work: () => void): void {
    const cancel = this.#options.clock.setTimeout(() => {
      this.#timers.delete(cancel)
      work()
    }, ms)
    this.#timers.add(cancel)
  }

  #send(op: number, d: unknown): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify({ op, d }))
  }

  #take(raw: RawData): void {
    const frame = parseObject((raw as Buffer).toString('utf8'))
    if (!frame || this.#isEnded) return
    switch (frame.op) {
      case 0:
        return this.#dispatch(frame)
      case 1:
        return this.#beat()
      case 7:
        return this.#end(new Error('Discord asks to connect again'))
      case 9:
        return this.#invalid(frame.d === true)
      case 10:
        return this.#greet(fieldsOf(frame.d).heartbeat_interval)
      case 11:
        this.#isAcknowledged = true
    }
  }

  #greet(interval: unknown): void {
    const wanted = countOf(interval) ?? LONGEST_BEAT_MS
    const ms = Math.min(Math.max(wanted, SHORTEST_BEAT_MS), LONGEST_BEAT_MS)
    const repeat = (): void => {
      // While this side does not read, silence says nothing.
      if (!this.#isAcknowledged && !this.#socket.isPaused)
        return this.#end(new Error('Discord has not acknowledged the last heartbeat'))
      this.#isAcknowledged = false
      this.#beat()
      this.#after(ms, repeat)
    }
    // Bots that were disconnected together do not beat together.
    this.#after(ms * Math.random(), repeat)
    this.#logIn()
  }

  /** Beats with the last event that was accepted, so that Discord keeps the later ones. */
  #beat(): void {
    this.#send(1, this.#options.session()?.sequence ?? null)
  }

  #logIn(): void {
    const { token, intents, session } = this.#options
    const known = session()
    if (known) return this.#send(6, { token, session_id: known.id, seq: known.sequence })
    const properties = { os: process.platform, browser: 'mynah', device: 'mynah' }
    this.#send(2, { token, intents, properties })
  }

  #invalid(canResume: boolean): void {
    if (canResume) return this.#end(new Error('Discord asks to resume the session again'))
    this.#options.forget()
    // Discord asks for a random pause of 1 to 5 s.
    this.#after(1_000 + 4_000 * Math.random(), () => this.#logIn())
  }

  #dispatch({ t, s, d }: Fields): void {
    const sequence = countOf(s)
    const type = textOf(t, 64)
    if (sequence === undefined || type === '') return
    const event = { type, sequence, data: fieldsOf(d) }
    this.#options.onArrival(event)
    if (++this.#waiting === MAX_WAITING) this.#socket.pause()
    this.#lane = this.#lane.then(() => this.#handle(event))
  }

  async #handle(event: Dispatch): Promise<void> {
    try {
      if (this.#isEnded) return
      if (event.type === 'READY' || event.type === 'RESUMED') this.#opened?.()
      await this.#options.onDispatch(event)
    } catch (error) {
      // It is delivered again when the session is resumed.
      this.#end(toError(error))
    } finally {
      if (--this.#waiting < MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
    }
  }
}

/** Returns the address of the gateway. The token is only sent over TLS, unless Discord itself is a local server. */
export function gatewayAddress(address: string, apiRoot: string): string {
  const isSafe = /^wss:\/\/[^\s?#]+$/.test(address)
  if (!isSafe && !(apiRoot.startsWith('http:') && /^ws:\/\/[^\s?#]+$/.test(address)))
    throw new ConfigurationError('The answer has no address of a gateway: check `apiRoot`')
  return address
}

const withVersion = (url: string): string => `${url.replace(/\/$/, '')}/?v=10&encoding=json`

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
    else socket.close(KEEP_SESSION)
  })
}
