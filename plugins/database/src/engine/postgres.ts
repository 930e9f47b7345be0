// PostgreSQL: the same store over a pool; the writer lane takes one connection at a time, readers cannot write.
import { NotReady } from '@mynah/kernel'
import { DataSource } from 'typeorm'
import { isAway, reasonOf } from '../failures.js'
import type { Engine } from './engine.js'

const CONNECT_TIMEOUT_MS = 900
const QUERY_TIMEOUT_MS = 10_000
const READERS = 8
const RETRY_MS = 3_000

function sourceOf(url: string, options: { readonly pool: number; readonly readOnly: boolean }): DataSource {
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
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      ...(options.readOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    },
  })
}

/** Connects; a server that is not there yet is tried again by the host. */
export async function openPostgres(url: string): Promise<Engine> {
  const writer = sourceOf(url, { pool: 2, readOnly: false })
  const reader = sourceOf(url, { pool: READERS, readOnly: true })
  try {
    await writer.initialize()
    await reader.initialize()
  } catch (error) {
    for (const source of [writer, reader]) if (source.isInitialized) await source.destroy()
    if (isAway(error)) throw new NotReady(reasonOf(error), { retryAfter: RETRY_MS })
    throw error
  }
  return {
    dialect: 'postgres',
    writer,
    reader,
    verify: () => Promise.resolve(),
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}
