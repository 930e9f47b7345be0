import type { Client } from './client.js'
import type { Frame, NumberedFrame } from './frame.js'

/** Maximum bytes written in one tick, so that a burst does not make a reading client look stalled. */
const SLICE = 262_144
/** Bytes of a replay that are read at once. */
const PAGE = 131_072

/** Source of replayed frames. */
export interface Replay {
  after(id: number, until: number, bytes: number): Promise<readonly NumberedFrame[]>
}

export interface HubEvents {
  /** Notes that a replay failed, so the client must start again. */
  broken(client: Client, error?: unknown): void
  /** A client was closed because it did not read. */
  slow(client: Client): void
}

/** All connections. Events of one tick are sent to each client in one write of shared bytes. */
export class ClientHub {
  readonly #replay: Replay
  readonly #listener: HubEvents
  readonly #live = new Set<Client>()
  readonly #replaying = new Set<Client>()
  #queue: Frame[] = []
  /** Evaluated when the queue is flushed, so that state that changes several times within a tick is sent once. */
  readonly #states = new Map<string, () => Frame>()
  #scheduled: NodeJS.Immediate | undefined
  /** The newest id that was sent to live clients. */
  #flushed = 0

  constructor(replay: Replay, listener: HubEvents) {
    this.#replay = replay
    this.#listener = listener
  }

  get size(): number {
    return this.#live.size + this.#replaying.size
  }

  /** Queues an event for all clients. */
  push(frame: NumberedFrame): void {
    this.#queue.push(frame)
    this.#schedule()
  }

  /** Sends a state to all clients, once within a tick. */
  sendState(key: string, frame: () => Frame): void {
    this.#states.set(key, frame)
    this.#schedule()
  }

  /** Adds a client that receives all later events. */
  follow(client: Client): void {
    this.#live.add(client)
  }

  /** Sends all events after `id` to a client, then adds it to the live clients. */
  async resume(client: Client, id: number): Promise<void> {
    this.#replaying.add(client)
    const { round } = client
    const isCancelled = (): boolean => client.over || client.round !== round
    let cursor = id
    try {
      // The last check of `#flushed` and adding the client must be synchronous, so that no event is lost in between.
      while (!isCancelled() && cursor < this.#flushed) {
        const frames = await this.#replay.after(cursor, this.#flushed, PAGE)
        if (isCancelled()) return
        const last = frames.at(-1)
        if (!last) {
          this.#listener.broken(client)
          return
        }
        for (const slice of slices(client.demo ? frames.filter((frame) => frame.demo) : frames, PAGE)) {
          this.#write(client, slice)
          if (client.full) await client.drained()
          if (isCancelled()) return
        }
        cursor = last.id
      }
      if (!isCancelled()) this.#live.add(client)
    } catch (error) {
      if (!isCancelled()) this.#listener.broken(client, error)
    } finally {
      if (client.round === round) this.#replaying.delete(client)
    }
  }

  remove(client: Client): void {
    this.#live.delete(client)
    this.#replaying.delete(client)
  }

  /** Sets the newest id. */
  begin(head: number): void {
    this.#flushed = head
  }

  /** Starts a new epoch at `head`. All clients receive `greeting` and later events. */
  restart(head: number, greeting: (client: Client) => Buffer): void {
    this.flush()
    this.begin(head)
    for (const client of this.#replaying) {
      client.round++
      this.#live.add(client)
    }
    this.#replaying.clear()
    for (const client of this.#live) this.#write(client, greeting(client))
  }

  heartbeat(): void {
    for (const client of [...this.#live, ...this.#replaying]) if (!client.beat()) this.#dropped(client)
  }

  /** Writes the whole queue. */
  flush(): void {
    while (this.#queue.length || this.#states.size) this.#flushSlice()
  }

  /** Writes the queue and ends all connections. */
  close(): void {
    this.flush()
    if (this.#scheduled) clearImmediate(this.#scheduled)
    for (const client of [...this.#live, ...this.#replaying]) client.end()
    this.#live.clear()
    this.#replaying.clear()
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined
      this.#flushSlice()
      if (this.#queue.length) this.#schedule()
    })
  }

  #flushSlice(): void {
    const states = Array.from(this.#states.values(), (frame) => frame())
    this.#states.clear()
    const frames = [...states, ...this.#take()]
    if (frames.length === 0) return
    for (const { id } of frames) if (id !== undefined) this.#flushed = id
    let full: Buffer | undefined
    let demo: Buffer | undefined
    for (const client of this.#live) {
      const bytes = client.demo ? (demo ??= join(frames.filter((frame) => frame.demo))) : (full ??= join(frames))
      if (bytes.length) this.#write(client, bytes)
    }
    for (const client of this.#replaying) {
      const bytes = join(client.demo ? states.filter((frame) => frame.demo) : states)
      if (bytes.length) this.#write(client, bytes)
    }
  }

  /** Removes the frames for this tick from the queue, or all frames if there is no live client. */
  #take(): Frame[] {
    const count = this.#live.size ? this.#sliceLength() : this.#queue.length
    if (count < this.#queue.length) return this.#queue.splice(0, count)
    const all = this.#queue
    this.#queue = []
    return all
  }

  #sliceLength(): number {
    let size = 0
    for (const [index, { bytes }] of this.#queue.entries()) {
      size += bytes.length
      if (size > SLICE) return Math.max(1, index)
    }
    return this.#queue.length
  }

  #write(client: Client, bytes: Buffer): void {
    if (!client.write(bytes)) this.#dropped(client)
  }

  #dropped(client: Client): void {
    this.remove(client)
    if (client.slow) this.#listener.slow(client)
  }
}

function join(frames: readonly Frame[]): Buffer {
  return frames.length === 1 ? (frames[0] as Frame).bytes : Buffer.concat(frames.map((frame) => frame.bytes))
}

/** Yields the bytes of `frames` in pieces of about `size`. */
function* slices(frames: readonly Frame[], size: number): Generator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for (const { bytes } of frames) {
    parts.push(bytes)
    length += bytes.length
    if (length < size) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (parts.length) yield Buffer.concat(parts)
}
