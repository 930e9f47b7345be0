// A host with a real server, a client that reads frames, and an event log that outlives hosts.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createHost, definePlugin, type Host, type HostOptions, type PluginEntry } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { EventLog, publish, type LoggedEvent } from '../api.js'
import events from '../index.js'

export { until }

export const TOKEN = 'full-token-of-the-stream-tests'
export const DEMO = 'demo-token-of-the-stream-tests'

export interface Frame {
  readonly id?: string
  readonly type: string
  readonly data: unknown
  readonly timestamp: number
}

/** A client that keeps every frame it reads. */
export class StreamClient {
  readonly frames: Frame[] = []
  /** All that came, as it came. */
  text = ''
  ended = false
  readonly response: IncomingMessage
  #rest = ''

  private constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#read(chunk))
    response.on('error', () => {
      this.ended = true
    })
    response.on('close', () => {
      this.ended = true
    })
  }

  static async open(
    origin: string,
    { token = TOKEN, lastId, query = '' }: { token?: string; lastId?: string | undefined; query?: string } = {},
  ): Promise<StreamClient> {
    const asked = request(`${origin}/api/events${query}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return new StreamClient(response)
  }

  get lastId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id
  }

  /** Payloads of the frames of a type. */
  of(type: string): unknown[] {
    return this.frames.filter((frame) => frame.type === type).map(({ data }) => data)
  }

  async until(condition: (client: this) => boolean, what: string): Promise<this> {
    await until(() => condition(this), what)
    return this
  }

  close(): void {
    this.response.destroy()
  }

  #read(chunk: string): void {
    this.text += chunk
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop() as string
    for (const block of blocks) {
      if (block.startsWith(':')) continue
      const lines = block.split('\n')
      const data = lines.filter((line) => line.startsWith('data: '))
      if (data.length !== 1) throw new Error(`a frame of ${data.length} data lines: ${block}`)
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4)
      this.frames.push({ ...(JSON.parse((data[0] as string).slice(6)) as Frame), ...(id === undefined ? {} : { id }) })
    }
  }
}

/** An event log that commits a little later and outlives the host that uses it. */
export class SharedLog implements EventLog {
  readonly epoch: string
  readonly events: LoggedEvent[] = []
  /** Appends that run at the same time, at most. */
  atOnce = 0
  batches = 0
  /** Set to make the next append fail. */
  failure: Error | undefined
  /** Oldest events that were trimmed. */
  trimmed = 0
  #running = 0

  constructor(epoch: string) {
    this.epoch = epoch
  }

  readonly #listeners = new Set<(events: readonly LoggedEvent[]) => void>()

  listen(listener: (events: readonly LoggedEvent[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get listeners(): number {
    return this.#listeners.size
  }

  async append(drafts: readonly Omit<LoggedEvent, 'id'>[]): Promise<void> {
    this.atOnce = Math.max(this.atOnce, ++this.#running)
    this.batches++
    try {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.failure) {
        const { failure } = this
        this.failure = undefined
        throw failure
      }
      this.commit(drafts)
    } finally {
      this.#running--
    }
  }

  /** Reports events once more, as a commit does that was in the log before it had an answer. */
  announce(events: readonly LoggedEvent[]): void {
    for (const listener of this.#listeners) listener(events)
  }

  /** Commits events as a transaction of another plugin does. */
  commit(drafts: readonly Omit<LoggedEvent, 'id'>[]): void {
    const logged = drafts.map((draft, index) => ({ id: this.events.length + index + 1, ...draft }))
    this.events.push(...logged)
    for (const listener of this.#listeners) listener(logged)
  }

  after(id: number, limit: number): Promise<readonly LoggedEvent[]> {
    return Promise.resolve(this.events.filter((event) => event.id > id && event.id > this.trimmed).slice(0, limit))
  }

  bounds(): Promise<{ before: number; head: number }> {
    return Promise.resolve({ before: this.trimmed, head: this.events.length })
  }
}

/** Returns a plugin that provides `log`. */
export const logPlugin = (log: EventLog) =>
  definePlugin({
    name: 'event-log',
    provides: [EventLog],
    setup: (ctx) => void ctx.provide(EventLog, log),
  })

export interface Running {
  readonly host: Host
  readonly origin: string
  readonly log: { readonly level: string; readonly message: string }[]
}

const httpSection = (tokens: readonly object[]) => ({ port: 0, token: TOKEN, tokens })
const DEMO_TOKEN = { token: DEMO, scope: 'demo', name: 'demo' }

/** Starts a host with the server, the stream and further plugins. */
export async function startStream(
  plugins: readonly PluginEntry[] = [],
  options: Omit<HostOptions, 'log'> = {},
): Promise<Running> {
  const { host, log } = await startHost(
    [{ plugin: httpCore, config: httpSection([DEMO_TOKEN]) }, { plugin: events }, ...plugins] as never,
    options,
  )
  const http = host.get(Http)
  if (!http) throw new Error(`the server did not start: ${log.map(({ message }) => message).join('; ')}`)
  return { host, origin: http.origin, log }
}

/** Returns a host that is still starting, for what happens meanwhile. */
export function startingStream(plugins: readonly PluginEntry[]): { host: Host; started: Promise<Host> } {
  const host = createHost([{ plugin: httpCore, config: httpSection([]) }, { plugin: events }, ...plugins])
  return { host, started: host.start() }
}

/** Takes the demo token away from a running server. */
export const revokeDemo = (host: Host) => host.update('http-core', httpSection([]))

export const say = (host: Host, type: string, data: unknown): void => host.emit(publish, { type, data })

/** Returns the numbers 0, 1, … in an order that is always the same. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
