// Public API of the event stream. Publishing is a hook, so publishers do not depend on the stream.
import { hook, point, service, type Service } from '@mynah/kernel'
import type { EventData, StreamEvent, StreamEvents } from '@mynah/contract'

/** An event to publish. */
export interface Publication {
  readonly type: string
  readonly data: unknown
}

/** Emitted to publish an event. */
export const publish = hook<Publication>('events.publish')

/**
 * Returns an event that is typed by its declaration.
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

/** A declared event with its visibility. */
export interface DeclaredEvent {
  readonly type: string
  readonly declaration: StreamEvent
  /** Returns whether a token of demo scope may see an event; default no. */
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

/** State that `sync` sends to each new client and again after each change. */
export interface Snapshot {
  readonly key: string
  value(): unknown
  /** Whether clients of demo scope receive it; default no. */
  readonly demo?: boolean
}
/** All snapshots. Every connection starts with `entries`, even if no plugin contributes it. */
export const streamSnapshots = point<Snapshot>({ id: 'events.snapshots', key: (snapshot) => snapshot.key })
/** Emitted when the value of a snapshot has changed. */
export const snapshotChanged = hook<{ readonly key: string }>('events.snapshot-changed')

/**
 * Emitted when listed data outside of the kernel has changed, such as the status of an endpoint. Clients get
 * `data-update`.
 */
export const dataChanged = hook<{ readonly what: string }>('events.data-changed')

/** An event in the log. Ids are consecutive in the order of commits. */
export interface LoggedEvent {
  readonly id: number
  readonly type: string
  /** The payload as JSON text, as it was when the event was created. */
  readonly json: string
  /** Epoch milliseconds. */
  readonly timestamp: number
}

/**
 * The log of the stream, from which clients resume after a restart. Others may also write to it: an event of a database
 * transaction is in the log before it is delivered. Without a provider the stream keeps its events in memory.
 */
export interface EventLog {
  /** Name of this log. Ids of another epoch are invalid here. */
  readonly epoch: string
  /** Commits events in order. Resolves after the listeners have been called. */
  append(events: readonly Omit<LoggedEvent, 'id'>[]): Promise<void>
  /** Calls `listener` with the events of each later commit, in order. Returns a function that removes it. */
  listen(listener: (events: readonly LoggedEvent[]) => void): () => void
  /** Returns at most `limit` events after `id`, oldest first. */
  after(id: number, limit: number): Promise<readonly LoggedEvent[]>
  /** Returns the oldest id minus one, and the newest id. Both are 0 if the log is empty. */
  bounds(): Promise<{ readonly before: number; readonly head: number }>
}
export const EventLog: Service<EventLog> = service<EventLog>('event-log', { plugin: 'database' })

/** Counters since the start of the stream. */
export interface StreamCounts {
  readonly clients: number
  /** Events with an id: published, or announced by a database transaction. */
  readonly published: number
  /** Connections opened. */
  readonly opened: number
  /** Connections that resumed an earlier one. */
  readonly resumed: number
  /** Connections that had to start again without earlier events. */
  readonly reset: number
  /** Connections that were closed because their client did not read. */
  readonly closedSlow: number
}
/** The running stream. */
export interface EventStream {
  counts(): StreamCounts
}
export const EventStream: Service<EventStream> = service<EventStream>('event-stream', { plugin: 'events' })
