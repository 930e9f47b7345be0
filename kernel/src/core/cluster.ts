// The hosts that share a database. Declared here, so that no plugin depends on the one that provides it.
import { service, type Service } from '../base/token.js'

/** Work that one host of a cluster does at a time. */
export interface PlaceWork {
  /** The place is here: the work begins. */
  start(): void
  /** The place goes, or this host may not act for now. Resolves when nothing of the work is done any more. */
  stop(): Promise<void> | void
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
  /** The places that it owns; `*` is all work. */
  readonly places: readonly string[]
}

/** The hosts that share a database. Without a provider this host is alone and owns everything. */
export interface Cluster {
  /** This host. Its epoch is raised with each start. */
  readonly self: { readonly id: string; readonly name: string; readonly epoch: number }
  readonly session: HostSession
  /** Whether this host may act now. Asked right before anything that others see. */
  holds(): boolean
  /** Whether this host owns the place of all work. */
  owns(): boolean
  /** Adds work that runs while this host owns the place of all work and may act. Returns how to remove it. */
  run(work: PlaceWork): () => void
  /** A connection found that this host was declared dead. The process ends at once. */
  fenced(): void
  /** Returns why this host does not do the work, for people, or `undefined` if it does. */
  standbyReason(): string | undefined
  /**
   * Returns all hosts of the database, by name.
   *
   * @throws Error while the database does not answer
   */
  hosts(): Promise<readonly ClusterHostView[]>
}
export const Cluster: Service<Cluster> = service<Cluster>('cluster', { plugin: 'cluster' })
