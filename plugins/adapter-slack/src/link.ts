import { WebSocket, type RawData } from 'ws'
import { systemClock, type Clock } from '@mynah/kernel'
import { fieldsOf, parseObject, textOf, type Fields } from './wire.js'

const MAX_FRAME = 8 * 1024 * 1024
const HANDSHAKE_MS = 15_000
/** Unit of the limits of time. A clock that jumps must not end a connection. */
const TICK_MS = 5_000
const PING_TICKS = 3
/** Ticks without a word of Slack, 70 to 75 s. */
const SILENT_TICKS = 15
/** Ticks until Slack has greeted, 25 to 30 s. */
const HELLO_TICKS = 6
/** Interactions are acknowledged then, stored or not: Slack shows an error after 3 s. */
const ACKNOWLEDGE_MS = 2_500
/** Envelopes that wait before the socket is not read any more. */
const MAX_WAITING = 256
const CLOSE_MS = 1_000

/** A delivery of Slack, over a socket or by a call. */
export interface Envelope {
  readonly type: 'events_api' | 'interactive' | 'slash_commands'
  readonly payload: Fields
}

export interface LinkOptions {
  readonly clock: Clock
  readonly onHello: () => void
  /** Takes an envelope. It is acknowledged when this resolves. */
  readonly onEnvelope: (envelope: Envelope) => Promise<void>
  /** Slack will close this connection soon. */
  readonly onLeave: (reason: string) => void
  readonly onEnd: (reason: Error) => void
}

const isType = (type: unknown): type is Envelope['type'] =>
  type === 'events_api' || type === 'interactive' || type === 'slash_commands'

/** One connection of Socket Mode. It does not connect again by itself. */
export class Link {
  readonly #options: LinkOptions
  readonly #socket: WebSocket
  readonly #stopTicks: () => void
  readonly #timers = new Set<() => void>()
  #waiting = 0
  #silentTicks = 0
  #hasGreeted = false
  #isEnded = false

  constructor(address: string, options: LinkOptions) {
    this.#options = options
    const limits = { handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_FRAME, perMessageDeflate: false }
    const socket = new WebSocket(address, limits)
    this.#socket = socket
    const heard = (): void => {
      this.#silentTicks = 0
    }
    socket.on('message', (data) => {
      heard()
      this.#take(data)
    })
    socket.on('ping', heard)
    socket.on('pong', heard)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(new Error(`The socket cannot be reached (${error.code ?? 'the connection broke'})`)),
    )
    socket.on('close', (code) => this.#end(new Error(`Slack closed the connection (${code})`)))
    this.#stopTicks = options.clock.setInterval(() => this.#tick(), TICK_MS)
  }

  /** Closes the connection. Slack delivers again all that is not acknowledged. */
  close(): Promise<void> {
    this.#stop()
    return closed(this.#socket)
  }

  #stop(): void {
    this.#isEnded = true
    this.#stopTicks()
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #end(reason: Error): void {
    if (this.#isEnded) return
    this.#stop()
    this.#socket.terminate()
    this.#options.onEnd(reason)
  }

  #take(raw: RawData): void {
    const frame = parseObject((raw as Buffer).toString('utf8'))
    if (!frame || this.#isEnded) return
    const { type, envelope_id: id } = frame
    if (type === 'hello' && !this.#hasGreeted) {
      this.#hasGreeted = true
      return this.#options.onHello()
    }
    if (type === 'disconnect') return this.#options.onLeave(textOf(frame.reason, 64))
    if (isType(type) && typeof id === 'string') void this.#pass(id, { type, payload: fieldsOf(frame.payload) })
  }

  async #pass(id: string, envelope: Envelope): Promise<void> {
    let isAcknowledged = false
    const acknowledge = (): void => {
      if (!isAcknowledged && this.#socket.readyState === this.#socket.OPEN)
        this.#socket.send(JSON.stringify({ envelope_id: id }))
      isAcknowledged = true
    }
    const cancel = envelope.type === 'events_api' ? () => {} : this.#after(ACKNOWLEDGE_MS, acknowledge)
    if (++this.#waiting === MAX_WAITING) this.#socket.pause()
    try {
      await this.#options.onEnvelope(envelope)
      acknowledge()
    } catch (error) {
      // Slack delivers it again.
      this.#end(error as Error)
    } finally {
      cancel()
      if (--this.#waiting < MAX_WAITING / 2 && this.#socket.isPaused) this.#socket.resume()
    }
  }

  #after(ms: number, work: () => void): () => void {
    const cancel = this.#options.clock.setTimeout(() => {
      this.#timers.delete(cancel)
      work()
    }, ms)
    this.#timers.add(cancel)
    return () => {
      cancel()
      this.#timers.delete(cancel)
    }
  }

  #tick(): void {
    // While this side does not read, silence says nothing.
    if (this.#socket.isPaused) return
    this.#silentTicks++
    if (!this.#hasGreeted && this.#silentTicks >= HELLO_TICKS)
      return this.#end(new Error('Slack has not greeted within 30 s'))
    if (this.#silentTicks >= SILENT_TICKS) return this.#end(new Error('Slack has said nothing for 75 s'))
    if (this.#silentTicks % PING_TICKS === 0 && this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
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
    // A socket that is not read never sees the answer.
    if (socket.isPaused) socket.resume()
    if (socket.readyState === socket.CONNECTING) socket.terminate()
    else socket.close()
  })
}
