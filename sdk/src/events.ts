import type { EventPayload, Wire } from './contract-types.js'
import { HostError } from './errors.js'
import type { Http } from './http.js'
import { reportAsUncaught } from './report-as-uncaught.js'
import { HostStream, type Frame, type StreamState } from './host-stream.js'
import { SharedStream, type StreamSource } from './shared-stream.js'

/**
 * The events of a host. All listeners and all tabs share one connection, which opens with the first listener and stays
 * until the client is closed.
 */
export interface EventStream<W extends Wire> {
  /**
   * Listens to one type of event until the returned function is called. `reset` means that events were lost, so that
   * all shown data has to be loaded again. `*` receives all events, also those that no contract declares.
   */
  on<K extends keyof W['events'] & string>(
    type: K,
    listener: (data: EventPayload<W['events'][K]>, frame: Frame) => void,
  ): () => void
  on(type: 'reset', listener: (data: null, frame: Frame) => void): () => void
  on(type: '*', listener: (frame: Frame) => void): () => void
  readonly state: StreamState
  /** Listens to changes of the state until the returned function is called. */
  onState(listener: (state: StreamState) => void): () => void
  /** Connects now, also after a refusal or during a wait. */
  start(): void
  close(): void
}

/** Implements {@link EventStream} without its types. */
export class Events {
  readonly #http: Http
  readonly #listeners = new Map<string, Set<(...parts: never[]) => void>>()
  readonly #watchers = new Set<(state: StreamState) => void>()
  #source: Promise<StreamSource> | undefined
  #state: StreamState = { status: 'stopped', reason: 'idle' }
  #closed = false

  constructor(http: Http) {
    this.#http = http
  }

  get state(): StreamState {
    return this.#state
  }

  on(type: string, listener: (...parts: never[]) => void): () => void {
    // Wrapped, so that the same function may listen twice.
    const own = (...parts: never[]) => listener(...parts)
    const set = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, set.add(own))
    if (!this.#source) this.start()
    return () => void set.delete(own)
  }

  onState(listener: (state: StreamState) => void): () => void {
    const own = (state: StreamState) => listener(state)
    this.#watchers.add(own)
    return () => void this.#watchers.delete(own)
  }

  start(): void {
    if (this.#closed) return
    if (!this.#source) {
      this.#set({ status: 'connecting' })
      this.#source = this.#connect()
      globalThis.addEventListener?.('online', this.#wake)
      globalThis.document?.addEventListener('visibilitychange', this.#seen)
    }
    void this.#source.then((source) => {
      if (!this.#closed) source.start()
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    globalThis.removeEventListener?.('online', this.#wake)
    globalThis.document?.removeEventListener('visibilitychange', this.#seen)
    void this.#source?.then((source) => source.close())
    this.#set({ status: 'stopped', reason: 'closed' })
  }

  readonly #wake = (): void => {
    void this.#source?.then((source) => source.wake())
  }

  readonly #seen = (): void => {
    if (document.visibilityState === 'visible') this.#wake()
  }

  async #connect(): Promise<StreamSource> {
    const { clock, base, token = '' } = this.#http
    const options = {
      clock,
      open: (lastId: string | undefined, signal: AbortSignal) => this.#open(lastId, signal),
      onFrame: (frame: Frame) => this.#frame(frame),
      onState: (state: StreamState) => {
        if (!this.#closed) this.#set(state)
      },
    }
    // Only pages share a stream. Locks and digests exist in secure contexts only.
    const locks =
      typeof document === 'undefined' || typeof BroadcastChannel === 'undefined' ? undefined : navigator.locks
    if (!locks || !globalThis.crypto.subtle) return new HostStream(options)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${base}\n${token}`)))
    return new SharedStream({
      ...options,
      locks,
      name: `mynah:events:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    })
  }

  async #open(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
    const open = () =>
      this.#http.open(
        '/events',
        { accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) },
        signal,
      )
    try {
      return await open()
    } catch (error) {
      // After a restart the host may have another prefix.
      if (error instanceof HostError && error.status === 404 && (await this.#http.refreshPrefix())) return open()
      throw error
    }
  }

  #frame(frame: Frame): void {
    for (const listener of [...(this.#listeners.get(frame.type) ?? [])])
      callSafely(() => listener(frame.data as never, frame as never))
    for (const listener of [...(this.#listeners.get('*') ?? [])]) callSafely(() => listener(frame as never))
  }

  #set(state: StreamState): void {
    this.#state = state
    // The token may have been rejected in another tab.
    if (state.status === 'stopped' && state.reason === 'auth-required' && this.#http.token) this.#http.authRequired()
    for (const watcher of [...this.#watchers]) callSafely(() => watcher(state))
  }
}

/** Reports the error of a listener as uncaught, so that the others still receive the event. */
function callSafely(run: () => void): void {
  try {
    run()
  } catch (error) {
    reportAsUncaught(error)
  }
}
