// One stream for all tabs of a browser: the tab that holds the lock connects, the others hear it through a channel.
import type { Clock } from './clock.js'
import { isRecord } from './errors.js'
import { HostStream, type Frame, type StreamPosition, type StreamState } from './host-stream.js'

/** What both a stream of one's own and a shared one can do. */
export interface StreamSource {
  readonly state: StreamState
  start(): void
  wake(): void
  close(): void
}

type Message =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'hello'; readonly from: string }
  | {
      readonly kind: 'welcome'
      readonly to: string
      readonly state: StreamState
      readonly opening: readonly Frame[]
      readonly position: StreamPosition
    }
  | { readonly kind: 'wake' | 'start' }

export interface SharedOptions {
  /** Same for all clients of one host and token, and for no others. */
  readonly name: string
  readonly locks: LockManager
  readonly clock: Clock
  open(lastId: string | undefined, signal: AbortSignal): Promise<Response>
  onFrame(frame: Frame): void
  onState(state: StreamState): void
}

/** Shares the stream with all who use the same name. */
export class SharedStream implements StreamSource {
  readonly #options: SharedOptions
  readonly #id = crypto.randomUUID()
  readonly #position: StreamPosition = { seen: false }
  /** The last frames that opened a connection, for tabs that come later. */
  readonly #opening = new Map<string, Frame>()
  readonly #ended = new AbortController()
  #delivered: string | undefined
  #channel: BroadcastChannel | undefined
  #leader: HostStream | undefined
  #state: StreamState = { status: 'stopped', reason: 'idle' }

  constructor(options: SharedOptions) {
    this.#options = options
  }

  get state(): StreamState {
    return this.#state
  }

  start(): void {
    if (this.#ended.signal.aborted) return
    if (this.#leader) return this.#leader.start()
    if (this.#channel) return this.#tell({ kind: 'start' })
    this.#channel = new BroadcastChannel(this.#options.name)
    this.#channel.onmessage = (message: MessageEvent<Message>) => this.#hear(message.data)
    this.#set({ status: 'connecting' })
    this.#tell({ kind: 'hello', from: this.#id })
    const { signal } = this.#ended
    this.#options.locks
      .request(this.#options.name, { signal }, () => this.#lead())
      .catch((error: unknown) => {
        if (!signal.aborted) this.#set({ status: 'stopped', reason: 'refused', message: String(error) })
      })
  }

  wake(): void {
    if (this.#leader) this.#leader.wake()
    else this.#tell({ kind: 'wake' })
  }

  close(): void {
    this.#ended.abort()
    this.#leader?.close()
    this.#channel?.close()
    this.#channel = undefined
    this.#set({ status: 'stopped', reason: 'closed' })
  }

  /** Holds the lock, and with it the connection, until this tab ends. */
  #lead(): Promise<void> {
    const { signal } = this.#ended
    if (signal.aborted) return Promise.resolve()
    const { open, clock } = this.#options
    this.#leader = new HostStream({
      open,
      clock,
      position: this.#position,
      onFrame: (frame) => {
        if (this.#take(frame)) this.#tell({ kind: 'frame', frame })
      },
      onState: (state) => {
        // The others will have a new leader in a moment, so that the end of this one is nothing to them.
        if (signal.aborted) return
        this.#tell({ kind: 'state', state })
        this.#set(state)
      },
    })
    this.#leader.start()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  }

  #tell(message: Message): void {
    this.#channel?.postMessage(message)
  }

  #hear(message: Message): void {
    if (message.kind === 'frame') this.#overhear(message.frame)
    else if (this.#leader) {
      if (message.kind === 'hello')
        this.#tell({
          kind: 'welcome',
          to: message.from,
          state: this.#state,
          opening: [...this.#opening.values()],
          position: this.#position,
        })
      else if (message.kind === 'wake') this.#leader.wake()
      else if (message.kind === 'start') this.#leader.start()
    } else if (message.kind === 'state') this.#set(message.state)
    else if (message.kind === 'welcome' && message.to === this.#id) {
      Object.assign(this.#position, message.position)
      for (const frame of message.opening) this.#take(frame)
      this.#delivered = message.position.lastId
      this.#set(message.state)
    }
  }

  /** A frame that another tab received. It moves the place where this tab would resume, unless it is at it already. */
  #overhear(frame: Frame): void {
    if (!this.#take(frame) || this.#leader) return
    if (frame.id !== undefined) this.#position.lastId = frame.id
    else this.#position.seen = true
  }

  /** Passes a frame on; false if it came before, by the other way, while the leader changed. */
  #take(frame: Frame): boolean {
    if (frame.id !== undefined) {
      if (!isAfter(frame.id, this.#delivered)) return false
      this.#delivered = frame.id
    } else if (frame.type === 'sync' || frame.type === 'init-data') {
      const kept = withoutReset(frame)
      // Another log, or one that was put back, may count from anywhere.
      if (kept !== frame) this.#delivered = undefined
      this.#opening.set(openingKey(frame), kept)
    }
    this.#options.onFrame(frame)
    return true
  }

  #set(state: StreamState): void {
    this.#state = state
    this.#options.onState(state)
  }
}

const openingKey = ({ type, data }: Frame): string =>
  type === 'sync' ? `sync ${isRecord(data) ? String(data['key']) : ''}` : type

/** A tab that just came has lost nothing. */
function withoutReset(frame: Frame): Frame {
  if (frame.type !== 'sync' || !isRecord(frame.data) || !('reset' in frame.data)) return frame
  const { reset: _, ...data } = frame.data
  return { ...frame, data }
}

/** Whether `<epoch>.<n>` comes after another one; ids of different logs always do. */
function isAfter(id: string, last: string | undefined): boolean {
  if (last === undefined) return true
  const [dot, lastDot] = [id.lastIndexOf('.'), last.lastIndexOf('.')]
  return id.slice(0, dot) !== last.slice(0, lastDot) || Number(id.slice(dot + 1)) > Number(last.slice(lastDot + 1))
}
