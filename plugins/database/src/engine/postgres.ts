import { DataSource } from 'typeorm'
import { isInUse } from '../driver-errors.js'
import { Connections, type PostgresClient, type SharedUse } from './connections.js'
import type { Engine } from './engine.js'
import { DatabaseInUse } from './database-in-use.js'

const CONNECT_TIMEOUT_MS = 900
/** A connection without an answer for this time is half-open. It is discarded and replaced. */
const QUERY_TIMEOUT_MS = 10_000
const READERS = 8
/** Silence after which the server counts as gone when nothing but the check asks it. */
const CHECK_TIMEOUT_MS = 4_000
/**
 * How soon the server notices that the machine of a host has vanished, and frees its lock and its transactions: it asks
 * after 10 s of silence and gives up 15 s later, or when 20 s pass without an acknowledgement of what it sent. Its own
 * default is two hours.
 */
const NOTICES_VANISHED_HOSTS =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000'
const READ_ONLY = '-c default_transaction_read_only=on'
type Verify = (client: PostgresClient, done: (error?: Error) => void) => void

function sourceOf(
  url: string,
  options: {
    readonly pool: number
    readonly readOnly: boolean
    readonly silence: number
    readonly name: string
    readonly verify: (client: PostgresClient) => Promise<void>
  },
): DataSource {
  const verify: Verify = (client, done) => void options.verify(client).then(() => done(), done)
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: options.name,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolSize: options.pool,
    parseInt8: true,
    installExtensions: false,
    logging: false,
    // The pool replaces an idle connection that breaks. The next statement notices if the server is unavailable.
    poolErrorHandler: () => {},
    extra: {
      query_timeout: options.silence,
      keepAlive: true,
      // Runs on each new connection before the pool hands it out.
      verify,
      // The writing connection holds the lock of the host, so it must stay open while it is idle.
      ...(options.readOnly
        ? { options: `${NOTICES_VANISHED_HOSTS} ${READ_ONLY}` }
        : { options: NOTICES_VANISHED_HOSTS, idleTimeoutMillis: 0 }),
    },
  })
}

/**
 * Connects with three pools: one writing connection, which holds the lock of the host, read-only connections, and one
 * that only checks whether the server answers, however many reads run.
 *
 * @param options.silence milliseconds without an answer after which a connection is discarded
 * @param options.shared for a host in a cluster
 * @param options.promoted called when a standby server was promoted, which this host then refuses to use
 * @throws DatabaseInUse if another host uses this database
 */
export async function openPostgres(
  url: string,
  {
    silence = QUERY_TIMEOUT_MS,
    shared,
    promoted = () => {},
  }: {
    readonly silence?: number
    readonly shared?: SharedUse & { readonly name: string; readonly streamChannel: string }
    readonly promoted?: () => void
  } = {},
): Promise<Engine> {
  const connections = new Connections(shared, promoted)
  const name = shared?.name ?? 'mynah'
  const writer = sourceOf(url, {
    pool: 1,
    readOnly: false,
    silence,
    name,
    verify: (client) => connections.lock(client),
  })
  const reader = sourceOf(url, {
    pool: READERS,
    readOnly: true,
    silence,
    name,
    verify: (client) => connections.track(client),
  })
  const checker = sourceOf(url, {
    pool: 1,
    readOnly: true,
    silence: Math.min(silence, CHECK_TIMEOUT_MS),
    name,
    verify: (client) => connections.track(client),
  })
  const sources = [writer, reader, checker]
  let checking: Promise<void> | undefined
  const check = async (): Promise<void> => void (await checker.query('SELECT 1'))
  try {
    for (const source of sources) await source.initialize()
  } catch (error) {
    for (const source of sources) if (source.isInitialized) await source.destroy()
    if (isInUse(error))
      throw new DatabaseInUse(
        `The database is in use by another host (${(error as Error).message})`,
        'Stop the other host, or set another database.url',
        error,
      )
    throw error
  }
  return {
    dialect: 'postgres',
    writer,
    reader,
    timeline: connections.timeline,
    streamChannel: shared?.streamChannel,
    verify: () => (checking ??= check().finally(() => (checking = undefined))),
    discard: () => connections.discard(),
    // The pools connect again by themselves.
    async renew() {
      connections.discard()
    },
    async close() {
      await checker.destroy()
      await reader.destroy()
      await writer.destroy()
    },
  }
}
