// The hosts that share a database. Declared here, so that no plugin depends on the one that provides it.
import { service, type Service } from '../base/token.js'

/** The place of all work that belongs to no endpoint. One host at a time has it. */
export const HOUSE = 'house'

/** Returns the place of an endpoint. */
export const endpointPlace = (adapter: string, endpoint: string): string => `endpoint|${adapter}|${endpoint}`

/** Work that one host of a cluster does at a time. */
export interface PlaceWork {
  /** The place is here: the work begins. */
  start(): void
  /** The place is about to move: nothing new begins. {@link PlaceWork.stop} follows when nothing is going on. */
  leave?(): void
  /** The place goes, or this host may not act for now. Resolves when nothing of the work is done any more. */
  stop(): Promise<void> | void
  /** Whether something is going on, so that the place rather moves later. Without it the place can move at any time. */
  isBusy?(): boolean
}

/** How the connections of a host prove which host they belong to. */
export interface HostSession {
  /** Name of its connections, by which another host that takes over ends them. */
  readonly name: string
  /**
   * Statements that each new writing connection runs first, in order. The last returns a row, or the host was declared
   * dead: {@link Cluster.fenced} is called then.
   */
  readonly proof: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[]
  /** Channel that is notified of each commit that announces events, with the id of the newest one. */
  readonly streamChannel: string
}

/** A host of a cluster, for people. */
export interface ClusterHostView {
  readonly id: string
  readonly name: string
  /** State in its row. A host that died without a word is `live` until another declares it `dead`. */
  readonly state: 'joining' | 'live' | 'leaving' | 'gone' | 'dead'
  readonly version: string
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** The places that it owns; {@link HOUSE} is all that belongs to no endpoint. */
  readonly places: readonly string[]
  /** Whether it gives its places away and takes none. */
  readonly drains: boolean
  /** The revision of the shared configuration that it runs; absent where it runs a file of its own. */
  readonly revision?: number
  /** Why it cannot run the newest revision, and takes no places. */
  readonly revisionProblem?: string
  /** Reason why it takes no places yet. */
  readonly waitsFor?: string
  /** Versions of the packages of its plugins; absent until it has said them. */
  readonly packages?: Readonly<Record<string, string>>
}

/** Runs a statement of a transaction and returns its rows. */
export type StatementRunner = (sql: string, parameters: readonly unknown[]) => Promise<readonly unknown[]>

/** The hosts that share a database. Without a provider this host is alone and owns everything. */
export interface Cluster {
  /** This host. Its epoch is raised with each start. */
  readonly self: { readonly id: string; readonly name: string; readonly epoch: number }
  /** Name of this process in rows of work that it does: `<id>:<epoch>`. No other process ever has it. */
  readonly owner: string
  readonly session: HostSession
  /** Whether this host may act now. Asked right before anything that others see. */
  holds(): boolean
  /** Whether this host owns a place and may act. */
  owns(place: string): boolean
  /** Whether this host has to end what was begun in a place: it owns that, or {@link HOUSE} where no host knows it. */
  answersFor(place: string): boolean
  /** Returns those of some {@link Cluster.owner} names whose process works no more. */
  ended(owners: Iterable<string>): Promise<ReadonlySet<string>>
  /**
   * Adds work that runs while this host owns a place and may act. A host takes only places for which it has work.
   *
   * @param hosts names of the hosts that may run the place, the preferred one first; none: all of them
   * @returns how to remove the work
   */
  run(place: string, work: PlaceWork, hosts?: readonly string[]): () => void
  /** Adds a check whether something is going on in a place here, as {@link PlaceWork.isBusy} is one. */
  watchBusy(check: (place: string) => boolean): () => void
  /** Returns all places, with the names of the hosts that have them, as last seen. */
  places(): ReadonlyMap<string, string | undefined>
  /** Returns the other hosts that work, as last seen. `owner` is the {@link Cluster.owner} of the process. */
  others(): readonly { readonly owner: string; readonly name: string }[]
  /** Whether another host owns a place, or is the process with this {@link Cluster.owner} name. */
  isElsewhere(place: string): boolean
  /**
   * Asks the host that owns a place, which may be this one, or the process with an {@link Cluster.owner} name. All
   * values are those of JSON.
   *
   * @throws WireError `not_ready` where no host owns it; `upstream_unavailable:unknown` where it does not answer within
   * ten seconds; the error of its answer
   */
  call(place: string, method: string, params: unknown): Promise<unknown>
  /** Answers what other hosts ask with {@link Cluster.call}. Returns how to stop. */
  answer(method: string, handler: (params: unknown) => Promise<unknown>): () => void
  /** Tells all other hosts something. It may be lost, as {@link Cluster.onGap} says. Never rejects. */
  tell(subject: string, params: unknown): Promise<void>
  /** Listens to what other hosts tell. Returns how to stop. */
  onTold(subject: string, listener: (params: unknown) => void): () => void
  /** Calls `listener` when something sent with {@link Cluster.tell} may be lost. Returns how to stop. */
  onGap(listener: () => void): () => void
  /** Calls `listener` when this host has got a place, or another host has come or gone. Returns how to stop. */
  onChange(listener: () => void): () => void
  /**
   * Calls `listener` when other hosts may have announced events, with the id of the newest one where it is known; at
   * least once a second while there are others. Returns how to stop.
   */
  onStream(listener: (newest?: number) => void): () => void
  /**
   * Refuses hosts of older versions, from the end of a transaction on that changes what they work with.
   *
   * @param query runs a statement in that transaction
   * @returns names and versions of older hosts that still work: the transaction must not be committed then
   */
  refuseOlder(query: StatementRunner): Promise<readonly string[]>
  /** Takes no places and gives its own away for a reason; `undefined`: does its share again. */
  waitFor(reason: string | undefined): void
  /** A connection found that this host was declared dead. The process ends at once. */
  fenced(): void
  /** Returns why this host does not own {@link HOUSE}, for people, or `undefined` if it does. */
  standbyReason(): string | undefined
  /**
   * Returns all hosts of the database, by name.
   *
   * @throws Error while the database does not answer
   */
  hosts(): Promise<readonly ClusterHostView[]>
}
export const Cluster: Service<Cluster> = service<Cluster>('cluster', { plugin: 'cluster' })
