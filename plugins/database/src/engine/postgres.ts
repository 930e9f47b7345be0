// PostgreSQL: the same store over two pools. The writer lane has one connection, which carries the lock of the host; readers cannot write.
import { DataSource } from 'typeorm'
import { isInUse } from '../failures.js'
import { Connections, type PostgresClient } from './connections.js'
import type { Engine } from './engine.js'
import { DatabaseInUse } from './in-use.js'

const CONNECT_TIMEOUT_MS = 900
/** A connection that says nothing for so long is half-open: it is discarded, and work goes on with a new one. */
const QUERY_TIMEOUT_MS = 10_000
const READERS = 8
type Verify = (client: PostgresClient, done: (error?: Error) => void) => void

function sourceOf(
  url: string,
  options: {
    readonly pool: number
    readonly readOnly: boolean
    readonly silence: number
    readonly verify: (client: PostgresClient) => Promise<void>
  },
): DataSource {
  const verify: Verify = (client, done) => void options.verify(client).then(() => done(), done)
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'mynah',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolSize: options.pool,
    parseInt8: true,
    installExtensions: false,
    logging: false,
    // An idle connection that breaks is replaced by the pool; whoever asks next notices whether the server is there.
    poolErrorHandler: () => {},
    extra: {
      query_timeout: options.silence,
      keepAlive: true,
      // What the pool does with each new connection before anybody else.
      verify,
      // The writing connection stays open while nobody writes: without it another host could take the lock.
      ...(options.readOnly ? { options: '-c default_transaction_read_only=on' } : { idleTimeoutMillis: 0 }),
    },
  })
}

/**
 * Connects.
 *
 * @param silence Time after which a connection that does not answer is given up, ms.
 * @throws DatabaseInUse when another host works with this database.
 */
export async function openPostgres(url: string, silence = QUERY_TIMEOUT_MS): Promise<Engine> {
  const connections = new Connections()
  const writer = sourceOf(url, { pool: 1, readOnly: false, silence, verify: (client) => connections.lock(client) })
  const reader = sourceOf(url, { pool: READERS, readOnly: true, silence, verify: (client) => connections.keep(client) })
  try {
    await writer.initialize()
    await reader.initialize()
  } catch (error) {
    for (const source of [writer, reader]) if (source.isInitialized) await source.destroy()
    if (isInUse(error))
      throw new DatabaseInUse(
        `The database is in use by another host (${(error as Error).message})`,
        'Stop the other host, or name another database under database.url',
        error,
      )
    throw error
  }
  return {
    dialect: 'postgres',
    writer,
    reader,
    verify: () => Promise.resolve(),
    discard: () => connections.discard(),
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}
