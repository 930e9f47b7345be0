import type { Clock } from './clock.js'
import { isRecord } from './errors.js'
import { HostStream, type Frame, type StreamPosition, type StreamState } from './host-stream.js'

/** A stream of one client, or a shared one. */
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
  /** Identifies the host and token. Clients with the same name share a stream. */
  readonly name: string
  readonly locks: LockManager
  readonly clock: Clock
  open(lastId: string | undefined, signal: AbortSignal): Promise<Response>
  onFrame(frame: Frame): void
  onState(state: StreamState): void
}

/**
 * One stream for all tabs of a browser. The tab that holds the lock connects and forwards frames to the others through
 * a channel.
 */
export class SharedStream implements StreamSource {
  readonly #options: SharedOptions
  readonly #id = crypto.randomUUID()
  readonly #position: StreamPosition = { seen: false }
  /** The last frames that opened a connection, for tabs that join later. */
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
    if (this.#channel) return this.#post({ kind: 'start' })
    this.#channel = new BroadcastChannel(this.#options.name)
    this.#channel.onmessage = (message: MessageEvent<Message>) => this.#onMessage(message.data)
    this.#set({ status: 'connecting' })
    this.#post({ kind: 'hello', from: this.#id })
    const { signal } = this.#ended
    this.#options.locks
      .request(this.#options.name, { signal }, () => this.#lead())
      .catch((error: unknown) => {
        if (!signal.aborted) this.#set({ status: 'stopped', reason: 'refused', message: String(error) })
      })
  }

  wake(): void {
    if (this.#leader) this.#leader.wake()
    else this.#post({ kind: 'wake' })
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
        if (this.#deliver(frame)) this.#post({ kind: 'frame', frame })
      },
      onState: (state) => {
        // The end of this leader is not forwarded, since another tab takes over.
        if (signal.aborted) return
        this.#post({ kind: 'state', state })
        this.#set(state)
      },
    })
    this.#leader.start()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message)
  }

  #onMessage(message: Message): void {
    if (message.kind === 'frame') this.#onFrameOfLeader(message.frame)
    else if (this.#leader) {
      if (message.kind === 'hello')
        this.#post({
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
      for (const frame of message.opening) this.#deliver(frame)
      this.#delivered = message.position.lastId
      this.#set(message.state)
    }
  }

  /** Delivers a frame of the leader, and moves the position at which this tab would resume. */
  #onFrameOfLeader(frame: Frame): void {
    if (!this.#deliver(frame) || this.#leader) return
    if (frame.id !== undefined) this.#position.lastId = frame.id
    else this.#position.seen = true
  }

  /** Delivers a frame. Returns false if it was delivered before, which happens while the leader changes. */
  #deliver(frame: Frame): boolean {
    if (frame.id !== undefined) {
      if (!isAfter(frame.id, this.#delivered)) return false
      this.#delivered = frame.id
    } else if (frame.type === 'sync' || frame.type === 'init-data') {
      const kept = withoutReset(frame)
      // Another or a restored log may count from anywhere.
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

/** Removes the reset, since a tab that has just joined has lost no event. */
function withoutReset(frame: Frame): Frame {
  if (frame.type !== 'sync' || !isRecord(frame.data) || !('reset' in frame.data)) return frame
  const { reset: _, ...data } = frame.data
  return { ...frame, data }
}

/** Returns whether the id `<epoch>.<n>` comes after another one. Ids of different logs always do. */
function isAfter(id: string, last: string | undefined): boolean {
  if (last === undefined) return true
  const [dot, lastDot] = [id.lastIndexOf('.'), last.lastIndexOf('.')]
  return id.slice(0, dot) !== last.slice(0, lastDot) || Number(id.slice(dot + 1)) > Number(last.slice(lastDot + 1))
}
