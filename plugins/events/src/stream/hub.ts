// All connections: what is published within a tick goes to each of them in one write of shared bytes.
import type { Client } from './client.js'
import type { Frame, NumberedFrame } from './frame.js'

/** Bytes handed to the sockets in one tick, so that a burst is no reason to take a reading client for a stalled one. */
const SLICE = 262_144
/** Bytes of a replay read at once. */
const PAGE = 131_072

/** Where replays come from. */
export interface Replay {
  after(id: number, until: number, bytes: number): Promise<readonly NumberedFrame[]>
}

export interface HubListener {
  /** A replay cannot be completed: the client must start anew. */
  broken(client: Client, error?: unknown): void
  /** A client was closed because it did not read. */
  slow(client: Client): void
}

export class Hub {
  readonly #replay: Replay
  readonly #listener: HubListener
  readonly #live = new Set<Client>()
  readonly #replaying = new Set<Client>()
  #queue: Frame[] = []
  /** Evaluated when the queue is flushed, so that state told often within a tick is told once. */
  readonly #states = new Map<string, () => Frame>()
  #scheduled: NodeJS.Immediate | undefined
  /** The newest id that live clients were given. */
  #flushed = 0

  constructor(replay: Replay, listener: HubListener) {
    this.#replay = replay
    this.#listener = listener
  }

  get size(): number {
    return this.#live.size + this.#replaying.size
  }

  /** Queues an event for all. */
  push(frame: NumberedFrame): void {
    this.#queue.push(frame)
    this.#schedule()
  }

  /** Tells all clients a state, once within a tick however often it changed. */
  tell(key: string, frame: () => Frame): void {
    this.#states.set(key, frame)
    this.#schedule()
  }

  /** Lets a client follow from now on. */
  follow(client: Client): void {
    this.#live.add(client)
  }

  /** Gives a client all after `id`, then lets it follow. */
  async resume(client: Client, id: number): Promise<void> {
    this.#replaying.add(client)
    const { round } = client
    const given = (): boolean => client.over || client.round !== round
    let cursor = id
    try {
      // Nothing may happen between the last look at `#flushed` and `follow`, so that no event falls between.
      while (!given() && cursor < this.#flushed) {
        const frames = await this.#replay.after(cursor, this.#flushed, PAGE)
        if (given()) return
        const last = frames.at(-1)
        if (!last) {
          this.#listener.broken(client)
          return
        }
        for (const slice of slices(client.demo ? frames.filter((frame) => frame.demo) : frames, PAGE)) {
          this.#write(client, slice)
          if (client.full) await client.drained()
          if (given()) return
        }
        cursor = last.id
      }
      if (!given()) this.#live.add(client)
    } catch (error) {
      if (!given()) this.#listener.broken(client, error)
    } finally {
      if (client.round === round) this.#replaying.delete(client)
    }
  }

  remove(client: Client): void {
    this.#live.delete(client)
    this.#replaying.delete(client)
  }

  /** Ids begin at `head`. */
  begin(head: number): void {
    this.#flushed = head
  }

  /** Ids start anew at `head`: all clients follow from there, after `greeting`. */
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

  /** Writes all that is queued. */
  flush(): void {
    while (this.#queue.length || this.#states.size) this.#flushSlice()
  }

  /** Ends all connections, each with what was meant for it. */
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

  /** Takes what this tick may write; all of it when nobody would receive it. */
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

/** The bytes of `frames` in pieces of about `size`. */
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
