import { STREAM_HEARTBEAT_MS } from '@mynah/contract/wire'
import type { Clock } from './clock.js'
import { HostError, isRecord, NetworkError } from './errors.js'
import { SseParser, type SseEvent } from './sse-parser.js'

const WATCHDOG_MS = 2 * STREAM_HEARTBEAT_MS
const FIRST_DELAY_MS = 800
const MAX_DELAY_MS = 15_000
const JITTER = 0.2
const HEALTHY_MS = 10_000

/** An event of the stream. The events that open a connection have no id. */
export interface Frame {
  readonly type: string
  readonly data: unknown
  readonly timestamp: number
  readonly id?: string
}

/** The state of the stream. */
export type StreamState =
  | { readonly status: 'connecting' }
  | { readonly status: 'live' }
  /** Connects again at `retryAt`, in milliseconds since the epoch. */
  | { readonly status: 'waiting'; readonly retryAt: number; readonly reason: string }
  /** `idle` before the first listener, `refused` when the host rejected the connection for good. */
  | {
      readonly status: 'stopped'
      readonly reason: 'idle' | 'closed' | 'auth-required' | 'refused'
      readonly message?: string
    }

/** The position that an earlier connection, perhaps of another tab, has reached. */
export interface StreamPosition {
  lastId?: string | undefined
  /** Whether there was an earlier connection. Without its last id, events may have been lost. */
  seen: boolean
}

export interface StreamOptions {
  open(lastId: string | undefined, signal: AbortSignal): Promise<Response>
  onFrame(frame: Frame): void
  onState(state: StreamState): void
  readonly clock: Clock
  readonly position?: StreamPosition
  readonly random?: () => number
}

/** Tells clients that events were lost, so that they load their data again. */
const RESET = 'reset'

/** A connection to the event stream that reconnects with backoff and resumes, until it is closed or refused. */
export class HostStream {
  readonly #options: StreamOptions
  readonly #position: StreamPosition
  #state: StreamState = { status: 'stopped', reason: 'idle' }
  #controller: AbortController | undefined
  #endWait: (() => void) | undefined
  #attempt = 0
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#position = options.position ?? { seen: false }
  }

  get state(): StreamState {
    return this.#state
  }

  /** Connects, also after a refusal. Ends a wait at once. */
  start(): void {
    if (this.#closed) return
    if (this.#state.status === 'waiting') this.wake()
    else if (this.#state.status === 'stopped') {
      this.#attempt = 0
      void this.#run()
    }
  }

  /** Ends a wait at once, for example when the network is back. */
  wake(): void {
    this.#endWait?.()
  }

  close(): void {
    this.#closed = true
    this.#controller?.abort(new DOMException('closed', 'AbortError'))
    this.wake()
    this.#set({ status: 'stopped', reason: 'closed' })
  }

  #set(state: StreamState): void {
    this.#state = state
    this.#options.onState(state)
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#set({ status: 'connecting' })
      const ended = await this.#connect()
      if (this.#closed) return
      const end = endOf(ended)
      if (end) return this.#set(end)
      await this.#pause(ended instanceof Error ? ended.message : String(ended))
      if (this.#closed) return
    }
  }

  /** Keeps one connection open. Resolves to the reason why it ended. */
  async #connect(): Promise<unknown> {
    const { clock, open } = this.#options
    const controller = (this.#controller = new AbortController())
    const onSilence = () =>
      controller.abort(new NetworkError('timeout', `The stream was silent for ${WATCHDOG_MS / 1000} s`))
    let watchdog = clock.setTimeout(onSilence, WATCHDOG_MS)
    let healthy: (() => void) | undefined
    try {
      const response = await open(this.#position.lastId, controller.signal)
      if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? ''))
        throw new NetworkError('bad-response', 'The response is not an event stream')
      const reader = response.body.getReader()
      // Node may have lost the link from the signal to the body, which then stays open.
      controller.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true })
      const decoder = new TextDecoder()
      const parser = new SseParser((event) => this.#event(event))
      for (;;) {
        const { done, value } = await reader.read()
        controller.signal.throwIfAborted()
        if (done) return new NetworkError('unreachable', 'The host ended the stream')
        watchdog()
        watchdog = clock.setTimeout(onSilence, WATCHDOG_MS)
        if (!healthy) {
          healthy = clock.setTimeout(() => {
            this.#attempt = 0
          }, HEALTHY_MS)
          this.#set({ status: 'live' })
        }
        parser.push(decoder.decode(value, { stream: true }))
      }
    } catch (error) {
      return error
    } finally {
      watchdog()
      healthy?.()
      controller.abort()
    }
  }

  #event({ id, data }: SseEvent): void {
    const position = this.#position
    // Stored before parsing, so that an invalid event is not sent again for ever.
    if (id) position.lastId = id
    const frame: unknown = JSON.parse(data)
    if (!isRecord(frame) || typeof frame['type'] !== 'string')
      throw new NetworkError('bad-response', 'An event of the stream has no type')
    const { type, data: payload } = frame
    const timestamp = typeof frame['timestamp'] === 'number' ? frame['timestamp'] : this.#options.clock.now()
    this.#options.onFrame({ type, data: payload, timestamp, ...(id ? { id } : {}) })
    const opening = type === 'init-data' && !id
    const lost = type === 'sync' && isRecord(payload) && payload['reset'] === true
    if (lost || (opening && position.seen && position.lastId === undefined))
      this.#options.onFrame({ type: RESET, data: null, timestamp })
    if (opening) position.seen = true
  }

  #pause(reason: string): Promise<void> {
    const { clock, random = Math.random } = this.#options
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#attempt++) * (1 - JITTER + 2 * JITTER * random())
    return new Promise((resolve) => {
      const cancel = clock.setTimeout(() => this.wake(), delay)
      this.#endWait = () => {
        this.#endWait = undefined
        cancel()
        resolve()
      }
      this.#set({ status: 'waiting', retryAt: clock.now() + delay, reason })
    })
  }
}

/** Returns the final state after a failure that a retry would not resolve. */
function endOf(ended: unknown): StreamState | undefined {
  if (!(ended instanceof HostError) || ended.status < 400 || ended.status > 499) return undefined
  return ended.status === 401
    ? { status: 'stopped', reason: 'auth-required', message: ended.message }
    : { status: 'stopped', reason: 'refused', message: ended.message }
}
