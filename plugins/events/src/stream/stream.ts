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
import { ClientHub } from './hub.js'
import { Journal } from './journal.js'
import { isVisibleToDemo } from './visibility.js'

/** The snapshot that every connection starts with. */
const FIRST_SNAPSHOT = 'entries'

/** The event stream. Passes published events through the journal to every connection. */
export class Stream implements EventStream {
  readonly journal: Journal
  readonly #ctx: BaseContext<unknown>
  readonly #hub: ClientHub
  readonly #declared: Reader<DeclaredEvent>
  readonly #snapshots: Reader<Snapshot>
  readonly #undeclared = new Set<string>()
  readonly #counts = { published: 0, opened: 0, resumed: 0, reset: 0, closedSlow: 0 }

  constructor(ctx: BaseContext<unknown>, logFailed: (error: unknown) => void) {
    this.#ctx = ctx
    this.#declared = ctx.read(streamEvents)
    this.#snapshots = ctx.read(streamSnapshots)
    this.#snapshots.watch(({ added }) => {
      for (const { key } of added) this.sendSnapshot(key)
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
    this.#hub = new ClientHub(this.journal, {
      broken: (client, error) => {
        const cause = error === undefined ? '' : `: ${messageOf(error)}`
        ctx.log.warn(`failed to read the events that a client missed, so it starts again${cause}`)
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
      this.#ctx.log.error(`failed to send the event "${type}", which is not JSON: ${messageOf(error)}`)
      return
    }
    this.journal.publish({ type, json, timestamp: this.#ctx.clock.now() })
  }

  #noteUndeclared(type: string): void {
    if (this.#declared.get(type) || this.#undeclared.has(type)) return
    this.#undeclared.add(type)
    this.#ctx.log.warn(`the event "${type}" is not declared; contribute it to ${streamEvents.id}`)
  }

  /** Sends the current value of a snapshot to all clients. */
  sendSnapshot(key: string): void {
    const found = this.#snapshots.get(key)
    if (found) this.#hub.sendState(key, () => this.#sync(found.value, false))
  }

  /** Serves one connection until it ends. `lastId` is the last id that the client has received. */
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

  /** Ends all connections after the log has received all events. */
  async close(): Promise<void> {
    await this.journal
      .close()
      .catch((error: unknown) => this.#ctx.log.warn(`failed to store the last events: ${messageOf(error)}`))
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
      this.#ctx.log.warn(`failed to read the event log, so a client starts again: ${messageOf(error)}`)
      return undefined
    }
  }

  /** Returns `sync` for each snapshot, then `init-data`. */
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
      return isVisibleToDemo(type, json, this.#declared.get(type)?.value)
    } catch (error) {
      this.#ctx.log.error(
        `failed to decide the visibility of "${type}", hiding it from the demo scope: ${messageOf(error)}`,
      )
      return false
    }
  }
}
