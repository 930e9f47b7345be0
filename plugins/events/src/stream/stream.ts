// The event stream: what is published, through the journal, to every connection.
import type { ServerResponse } from 'node:http'
import { messageOf, type BaseContext, type Reader } from '@mynah/kernel'
import {
  streamEvents,
  streamSnapshots,
  type DeclaredEvent,
  type EventStream,
  type Publication,
  type Snapshot,
  type StreamCounts,
} from '../api.js'
import { Client } from './client.js'
import { jsonOf, unnumbered, type Frame } from './frame.js'
import { Hub } from './hub.js'
import { Journal } from './journal.js'
import { demoSees } from './visibility.js'

/** The state that opens every connection. */
const FIRST_SNAPSHOT = 'entries'

export class Stream implements EventStream {
  readonly journal: Journal
  readonly #ctx: BaseContext<unknown>
  readonly #hub: Hub
  readonly #declared: Reader<DeclaredEvent>
  readonly #snapshots: Reader<Snapshot>
  readonly #undeclared = new Set<string>()
  readonly #counts = { published: 0, opened: 0, resumed: 0, reset: 0, closedSlow: 0 }

  constructor(ctx: BaseContext<unknown>, logFailed: (error: unknown) => void) {
    this.#ctx = ctx
    this.#declared = ctx.read(streamEvents)
    this.#snapshots = ctx.read(streamSnapshots)
    this.#snapshots.watch(({ added }) => {
      for (const { key } of added) this.tell(key)
    })
    this.journal = new Journal({
      committed: (frame, { type }) => {
        this.#noteUndeclared(type)
        this.#counts.published++
        this.#hub.push(frame)
      },
      begun: (head, anew) =>
        anew ? this.#hub.restart(head, (client) => this.#greeting(client, true)) : this.#hub.begin(head),
      failed: logFailed,
      demo: ({ type, json }) => this.#demo(type, json),
    })
    this.#hub = new Hub(this.journal, {
      broken: (client, error) => {
        ctx.log.warn(
          `events that a client missed cannot be read, so that it starts anew${error === undefined ? '' : `: ${messageOf(error)}`}`,
        )
        this.#counts.reset++
        client.write(this.#greeting(client, true))
        this.#hub.follow(client)
      },
      slow: () => {
        this.#counts.closedSlow++
        ctx.log.info('closed the stream of a client that does not read')
      },
    })
  }

  counts(): StreamCounts {
    return { clients: this.#hub.size, ...this.#counts }
  }

  publish({ type, data }: Publication): void {
    let json: string
    try {
      json = jsonOf(data)
    } catch (error) {
      this.#ctx.log.error(`the event "${type}" cannot be written as JSON and is not sent: ${messageOf(error)}`)
      return
    }
    this.journal.publish({ type, json, timestamp: this.#ctx.clock.now() })
  }

  #noteUndeclared(type: string): void {
    if (this.#declared.get(type) || this.#undeclared.has(type)) return
    this.#undeclared.add(type)
    this.#ctx.log.warn(`the event "${type}" is declared by nobody; contribute it to ${streamEvents.id}`)
  }

  /** Tells all clients the present value of a snapshot. */
  tell(key: string): void {
    const found = this.#snapshots.get(key)
    if (found) this.#hub.tell(key, () => this.#sync(found.value, false))
  }

  /** Serves one connection until it ends; `lastId` is what the client saw last. */
  async serve(response: ServerResponse, demo: boolean, lastId: string | undefined, signal: AbortSignal): Promise<void> {
    if (response.destroyed) return
    const client = new Client(response, demo)
    this.#counts.opened++
    const end = (): void => {
      if (!signal.aborted || client.over) return
      this.#hub.flush()
      this.#hub.remove(client)
      client.end()
    }
    signal.addEventListener('abort', end)
    try {
      await this.#open(client, lastId)
      if (signal.aborted) end()
      await client.closed
    } finally {
      signal.removeEventListener('abort', end)
      this.#hub.remove(client)
    }
  }

  heartbeat(): void {
    this.#hub.heartbeat()
  }

  /** Ends all connections, when the log has what was published. */
  async close(): Promise<void> {
    await this.journal
      .close()
      .catch((error: unknown) => this.#ctx.log.warn(`the last events are in no log: ${messageOf(error)}`))
    this.#hub.close()
  }

  async #open(client: Client, lastId: string | undefined): Promise<void> {
    if (lastId !== undefined) await this.journal.ready()
    const from = lastId === undefined ? undefined : await this.#resolve(lastId)
    if (client.over) return
    const reset = lastId !== undefined && from === undefined
    if (reset) this.#counts.reset++
    client.write(this.#greeting(client, reset))
    if (from === undefined) {
      this.#hub.follow(client)
      return
    }
    this.#counts.resumed++
    await this.#hub.resume(client, from)
  }

  async #resolve(lastId: string): Promise<number | undefined> {
    try {
      return await this.journal.resolve(lastId)
    } catch (error) {
      this.#ctx.log.warn(`cannot read the event log, so that a client starts anew: ${messageOf(error)}`)
      return undefined
    }
  }

  /** `sync` of each snapshot, then `init-data`. */
  #greeting(client: Client, reset: boolean): Buffer {
    const found = this.#snapshots.all()
    const entries: Pick<Snapshot, 'key' | 'value' | 'demo'> = this.#snapshots.get(FIRST_SNAPSHOT)?.value ?? {
      key: FIRST_SNAPSHOT,
      value: () => [],
      demo: true,
    }
    const others = found.filter(({ key }) => key !== FIRST_SNAPSHOT).map(({ value }) => value)
    const now = this.#ctx.clock.now()
    const frames = [entries, ...others].map((snapshot, index) => this.#sync(snapshot, reset && index === 0))
    frames.push(unnumbered('init-data', { timestamp: now }, now, true))
    return Buffer.concat(frames.filter((frame) => frame.demo || !client.demo).map((frame) => frame.bytes))
  }

  #sync(snapshot: Pick<Snapshot, 'key' | 'value' | 'demo'>, reset: boolean): Frame {
    let value: unknown = null
    try {
      value = snapshot.value()
    } catch (error) {
      this.#ctx.log.error(`the snapshot "${snapshot.key}" failed: ${messageOf(error)}`)
    }
    return unnumbered(
      'sync',
      { key: snapshot.key, value, ...(reset ? { reset } : {}) },
      this.#ctx.clock.now(),
      snapshot.demo === true,
    )
  }

  #demo(type: string, json: string): boolean {
    try {
      return demoSees(type, json, this.#declared.get(type)?.value)
    } catch (error) {
      this.#ctx.log.error(
        `who may see "${type}" could not be decided, so that the demo scope does not: ${messageOf(error)}`,
      )
      return false
    }
  }
}
