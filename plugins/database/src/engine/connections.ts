import { AnotherTimeline, timelineOf } from './timeline.js'
import { assertUsable, pooledByTransaction } from './unusable-database.js'

/** The used part of a client of the module `pg`. */
export interface PostgresClient {
  readonly connection: { readonly stream: { destroy(): void } }
  query(sql: string, parameters?: readonly unknown[]): Promise<{ readonly rows: Record<string, unknown>[] }>
  once(event: 'end', listener: () => void): void
}

/** "mynh": first key of the advisory lock. The second key is the schema of the tables. */
const LOCK = 0x6d796e68
/** Time for a host that is just stopping to release the lock. */
const LOCK_TIMEOUT_MS = 2_000
const LOCK_RETRY_MS = 100
/** The same for a host on another machine, which may have vanished: the server notices that within 25 s. */
const VANISHED_TIMEOUT_MS = 30_000

const LIVES = 'pid = ANY($1) AND datname = current_database() AND usename = current_user'

/** Thrown when another host holds the lock. The message describes that host. */
class LockedError extends Error {
  readonly code = 'MYNAH_LOCKED'
}

/** How the writing connections of a host in a cluster prove that it is alive. */
export interface SharedUse {
  /** Statements that each runs first, in order. The last returns a row, or the host was declared dead. */
  readonly proof: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[]
  /** The host was declared dead. */
  fenced(): void
}

/** The open connections to a PostgreSQL server. Only one host may use a database, or the hosts of one cluster. */
export class Connections {
  readonly #shared: SharedUse | undefined
  readonly #promoted: () => void
  #timeline: number | undefined
  #isPromoted = false
  /** The open connections, with the process of the server that each has. */
  readonly #open = new Map<PostgresClient, Backend>()
  /** Server processes of discarded connections, which may still hold locks. */
  #abandoned: number[] = []

  /**
   * @param shared for a host in a cluster
   * @param promoted called when a standby server was promoted, which may lack what this host has committed
   */
  constructor(shared: SharedUse | undefined, promoted: () => void) {
    this.#shared = shared
    this.#promoted = promoted
  }

  /** Timeline of the server, once a writing connection is open, if the server tells. */
  get timeline(): number | undefined {
    return this.#timeline
  }

  /**
   * Tracks a new connection.
   *
   * @throws UnusableDatabase if it shares a process of the server with another one, so that no lock holds
   */
  async track(client: PostgresClient): Promise<void> {
    const backend = await backendOf(client)
    if ([...this.#open.values()].some((other) => isSame(backend, other))) {
      // The pooler keeps the process, with the lock that this host has just taken.
      await client.query('DISCARD ALL')
      throw pooledByTransaction()
    }
    this.#open.set(client, backend)
    client.once('end', () => this.#open.delete(client))
  }

  /**
   * Takes the lock of the host on a new connection, which holds it until the connection ends. Hosts of a cluster share
   * it, and each proves that it was not declared dead.
   *
   * @throws UnusableDatabase if the database cannot hold what the host writes
   * @throws LockedError if another host holds the lock
   * @throws AnotherTimeline if the server continues another history than the one of the first connection
   */
  async lock(client: PostgresClient): Promise<void> {
    await this.track(client)
    await assertUsable(client)
    await this.#endAbandoned(client)
    await this.#lockSchema(client)
    await this.#checkTimeline(client)
    if (!this.#shared) return
    let rows: readonly unknown[] = []
    for (const { sql, parameters } of this.#shared.proof) ({ rows } = await client.query(sql, parameters))
    if (rows.length > 0) return
    this.#shared.fenced()
    throw new LockedError('that has taken over')
  }

  async #checkTimeline(client: PostgresClient): Promise<void> {
    const timeline = await timelineOf(client)
    this.#timeline ??= timeline
    if (timeline === undefined || timeline === this.#timeline) return
    // A lower one is a former server, which nothing may be written to.
    if (timeline > Number(this.#timeline) && !this.#isPromoted) {
      this.#isPromoted = true
      this.#promoted()
    }
    throw new AnotherTimeline(`The database server continues timeline ${timeline} instead of ${this.#timeline}`)
  }

  async #lockSchema(client: PostgresClient): Promise<void> {
    const lock = this.#shared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
    const began = performance.now()
    let patience = LOCK_TIMEOUT_MS
    for (;;) {
      const {
        rows: [row],
      } = await client.query(`SELECT ${lock}($1, hashtext(current_schema())) AS taken`, [LOCK])
      if (row?.taken === true) return
      const waited = performance.now() - began
      if (waited > patience) {
        const { name, isElsewhere } = await ownerOf(client)
        if (!isElsewhere || waited > VANISHED_TIMEOUT_MS) throw new LockedError(name)
        patience = VANISHED_TIMEOUT_MS
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
    }
  }

  /** Closes all connections. Pending statements fail at once, and the next statement opens a new connection. */
  discard(): void {
    for (const [client, { pid }] of this.#open) {
      this.#abandoned.push(pid)
      client.connection.stream.destroy()
    }
    this.#open.clear()
  }

  /**
   * Ends server processes of broken connections. A server that has not noticed the break keeps the transaction and the
   * lock.
   */
  async #endAbandoned(client: PostgresClient): Promise<void> {
    const abandoned = this.#abandoned
    if (abandoned.length === 0) return
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LIVES}`, [abandoned])
    this.#abandoned = this.#abandoned.filter((pid) => !abandoned.includes(pid))
  }
}

/** A process of the server. */
interface Backend {
  readonly pid: number
  readonly since: unknown
}

const isSame = (one: Backend, other: Backend): boolean => one.pid === other.pid && one.since === other.since

async function backendOf(client: PostgresClient): Promise<Backend> {
  const { rows } = await client.query(
    'SELECT pg_backend_pid() AS pid, (SELECT backend_start::text FROM pg_stat_get_activity(pg_backend_pid())) AS since',
  )
  return rows[0] as unknown as Backend
}

/** Returns the host that holds the lock, and whether it is connected from another address than this one. */
async function ownerOf(client: PostgresClient): Promise<{ readonly name: string; readonly isElsewhere: boolean }> {
  const {
    rows: [owner],
  } = await client.query(
    `SELECT a.backend_start, a.client_addr IS DISTINCT FROM inet_client_addr() AS elsewhere FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`,
    [LOCK],
  )
  return {
    name:
      owner?.backend_start instanceof Date
        ? `connected since ${owner.backend_start.toISOString()}`
        : 'which has just disconnected',
    isElsewhere: owner?.elsewhere === true,
  }
}
