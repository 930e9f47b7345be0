// What other plugins may know of the event stream: publishing is a hook, so nobody needs the stream to be there.
import { hook, point, service, type Service } from '@mynah/kernel'
import type { EventData, StreamEvent, StreamEvents } from '@mynah/contract'

/** An event on its way to the stream. */
export interface Publication {
  readonly type: string
  readonly data: unknown
}

/** Emitted to publish. */
export const publish = hook<Publication>('events.publish')

/**
 * An event, typed by its declaration.
 *
 * @example ctx.emit(publish, event(configuration.events, 'config:updated', { pluginName, config }))
 */
export function event<E extends StreamEvents, K extends keyof E & string>(
  _events: E,
  type: K,
  data: EventData<E[K]>,
): Publication {
  return { type, data }
}

/** A declared event; who may see it. */
export interface DeclaredEvent {
  readonly type: string
  readonly declaration: StreamEvent
  /** Whether a token of demo scope sees this one; default no. */
  readonly demo?: (data: never) => boolean
}

/** All events that a host may publish. */
export const streamEvents = point<DeclaredEvent>({
  id: 'events.declared',
  key: (declared) => declared.type,
  describe: (declared) => ({ name: declared.type, description: declared.declaration.summary }),
})

/** Declares an event of a contract for the catalogue and the stream. */
export function declare<E extends StreamEvents, K extends keyof E & string>(
  events: E,
  type: K,
  demo?: (data: EventData<E[K]>) => boolean,
): DeclaredEvent {
  return { type, declaration: events[type] as StreamEvent, ...(demo ? { demo: demo as (data: never) => boolean } : {}) }
}

/** State that `sync` tells each new client and tells again when it changed. */
export interface Snapshot {
  readonly key: string
  value(): unknown
  /** Whether clients of demo scope receive it; default no. */
  readonly demo?: boolean
}
/** All snapshots; `entries` opens every connection, whether or not somebody provides it. */
export const streamSnapshots = point<Snapshot>({ id: 'events.snapshots', key: (snapshot) => snapshot.key })
/** Emitted when the value of a snapshot has changed. */
export const snapshotChanged = hook<{ readonly key: string }>('events.snapshot-changed')

/** Emitted when something that lists show has changed outside the kernel, such as an endpoint's status; clients see `data-update`. */
export const dataChanged = hook<{ readonly what: string }>('events.data-changed')

/** An event as the log holds it; ids grow by commit order, one by one. */
export interface LoggedEvent {
  readonly id: number
  readonly type: string
  /** The payload as JSON text, as it was when the event was made. */
  readonly json: string
  /** Epoch milliseconds. */
  readonly timestamp: number
}

/**
 * Where the stream keeps its events, so that clients resume across a restart. Others may write to it, too: what a transaction
 * of the database announces is in the log before anybody is told. A memory log serves while nobody provides one.
 */
export interface EventLog {
  /** Names this log: ids of another epoch mean nothing here. */
  readonly epoch: string
  /** Commits events in order; resolves after the listeners were told. */
  append(events: readonly Omit<LoggedEvent, 'id'>[]): Promise<void>
  /** Tells `listener` of the events of each commit from now on, whoever made it, in the order of commits; returns its end. */
  listen(listener: (events: readonly LoggedEvent[]) => void): () => void
  /** Events after `id`, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<readonly LoggedEvent[]>
  /** The oldest id still held minus one, and the newest; both 0 when empty. */
  bounds(): Promise<{ readonly before: number; readonly head: number }>
}
export const EventLog: Service<EventLog> = service<EventLog>('event-log')

/** Counts of the stream since it started. */
export interface StreamCounts {
  readonly clients: number
  /** Events that were given an id: published, or announced by a transaction of the event log's owner. */
  readonly published: number
  /** Connections opened. */
  readonly opened: number
  /** Connections that went on where an earlier one had ended. */
  readonly resumed: number
  /** Connections that were told to start anew. */
  readonly reset: number
  /** Connections closed because their client did not read. */
  readonly closedSlow: number
}
/** The running stream. */
export interface EventStream {
  counts(): StreamCounts
}
export const EventStream: Service<EventStream> = service<EventStream>('event-stream')
