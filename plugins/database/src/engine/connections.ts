// The open connections to a PostgreSQL server: one host a database, and no connection outlives a failure of the server.

/** What is used of a client of the module `pg`. */
export interface PostgresClient {
  readonly processID?: number | null
  readonly connection: { readonly stream: { destroy(): void } }
  query(sql: string, parameters?: readonly unknown[]): Promise<{ readonly rows: Record<string, unknown>[] }>
  once(event: 'end', listener: () => void): void
}

/** "mynh": what this host locks with, beside the schema that its tables are in. */
const LOCK = 0x6d796e68
/** Time that a host which is just closing has to let go. */
const PATIENCE_MS = 2_000
const PAUSE_MS = 100

const LIVES = 'pid = ANY($1) AND datname = current_database() AND usename = current_user'

/** Thrown when another host holds the lock; its message says which. */
export class LockedError extends Error {
  readonly code = 'MYNAH_LOCKED'
}

export class Connections {
  readonly #open = new Set<PostgresClient>()
  /** Server processes of connections that were given up: they may still hold locks. */
  #abandoned: number[] = []

  /** Remembers a new connection. */
  async keep(client: PostgresClient): Promise<void> {
    this.#open.add(client)
    client.once('end', () => this.#open.delete(client))
  }

  /**
   * Takes the lock of the host for a new connection, which holds it until it ends: whoever can write has it.
   *
   * @throws LockedError when another host holds it.
   */
  async lock(client: PostgresClient): Promise<void> {
    await this.keep(client)
    await this.#endAbandoned(client)
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const {
        rows: [row],
      } = await client.query('SELECT pg_try_advisory_lock($1, hashtext(current_schema())) AS taken', [LOCK])
      if (row?.taken === true) return
      if (performance.now() > until) throw new LockedError(await ownerOf(client))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  /** Gives up all connections: what waits on one fails now, and the next statement opens a new one. */
  discard(): void {
    for (const client of this.#open) {
      if (client.processID) this.#abandoned.push(client.processID)
      client.connection.stream.destroy()
    }
    this.#open.clear()
  }

  /** A server that does not know of the broken connection keeps its process, with its transaction and the lock. */
  async #endAbandoned(client: PostgresClient): Promise<void> {
    const abandoned = this.#abandoned
    if (abandoned.length === 0) return
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LIVES}`, [abandoned])
    this.#abandoned = this.#abandoned.filter((pid) => !abandoned.includes(pid))
  }
}

async function ownerOf(client: PostgresClient): Promise<string> {
  const {
    rows: [owner],
  } = await client.query(
    `SELECT a.pid, a.backend_start FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`,
    [LOCK],
  )
  return owner?.backend_start instanceof Date
    ? `connected since ${owner.backend_start.toISOString()}`
    : 'which has just gone'
}
