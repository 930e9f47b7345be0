import { rename, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { DataSource } from 'typeorm'
import { isDamaged } from '../driver-errors.js'
import { loadSqlite, type SqliteConnection, type SqliteModule } from './binding.js'
import { usePreparedStatements, type Engine } from './engine.js'
import { privateFile } from './private-files.js'
import { PreparedStatements } from './prepared-statements.js'

const BUSY_TIMEOUT_MS = 5_000
const SYNCHRONOUS = 'PRAGMA synchronous = NORMAL'
/**
 * Up to this size the whole file is checked at each start, including indices. Larger files get a quick check of their
 * pages.
 */
const FULL_CHECK_BYTES = 64 * 1024 * 1024

class DamagedError extends Error {}

function writerOf(file: string, sqlite: SqliteModule): DataSource {
  return new DataSource({
    type: 'sqlite',
    database: file,
    driver: sqlite,
    enableWAL: true,
    busyTimeout: BUSY_TIMEOUT_MS,
    logging: false,
  })
}

async function openChecked(file: string, sqlite: SqliteModule): Promise<DataSource> {
  await privateFile(file)
  const { size } = await stat(file)
  const writer = writerOf(file, sqlite)
  try {
    await writer.initialize()
    await writer.query(SYNCHRONOUS)
    if (size > 0) {
      const rows = (await writer.query(
        size > FULL_CHECK_BYTES ? 'PRAGMA quick_check(1)' : 'PRAGMA integrity_check(1)',
      )) as Record<string, string>[]
      const verdict = Object.values(rows[0] ?? {})[0]
      if (verdict !== 'ok') throw new DamagedError(String(verdict))
    }
    return writer
  } catch (error) {
    if (writer.isInitialized) await writer.destroy()
    if (error instanceof DamagedError || !isDamaged(error)) throw error
    throw new DamagedError((error as Error).message, { cause: error })
  }
}

/** Renames a damaged database and its log, and returns the new name. */
async function setAside(file: string, now: number): Promise<string> {
  const target = `${file}.corrupt.${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  for (const suffix of ['', '-wal', '-shm']) {
    await rename(file + suffix, target + suffix).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  return basename(target)
}

/**
 * Opens a file with one writing and one read-only connection. A damaged file is set aside and replaced by an empty one.
 */
export async function openSqlite(file: string, now: number): Promise<Engine> {
  const sqlite = await loadSqlite()
  let aside: string | undefined
  let writer: DataSource
  try {
    writer = await openChecked(file, sqlite)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    aside = await setAside(file, now)
    writer = await openChecked(file, sqlite)
  }
  const reader = new DataSource({
    type: 'sqlite',
    database: file,
    driver: sqlite,
    flags: sqlite.OPEN_READONLY,
    busyTimeout: BUSY_TIMEOUT_MS,
    logging: false,
  })
  try {
    await reader.initialize()
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const opened = await stat(file)
  const prepare = async (source: DataSource): Promise<PreparedStatements> => {
    const own = new PreparedStatements(sqlite, (await source.createQueryRunner().connect()) as SqliteConnection)
    usePreparedStatements(source, own)
    return own
  }
  const statements = new Map([
    [writer, await prepare(writer)],
    [reader, await prepare(reader)],
  ])
  const verify = async (): Promise<void> => {
    const { dev, ino } = await stat(file).catch(() => ({ dev: -1, ino: -1 }))
    if (dev !== opened.dev || ino !== opened.ino)
      throw Object.assign(new Error('The database file was moved, removed or replaced'), { code: 'SQLITE_GONE' })
  }
  /** Replaces the connection of a source. If no new one can be opened, the old one stays. */
  const reconnect = async (source: DataSource): Promise<void> => {
    const before = (await source.createQueryRunner().connect()) as SqliteConnection
    await source.driver.connect()
    if (source === writer) await source.query(SYNCHRONOUS)
    await statements.get(source)?.close()
    statements.set(source, await prepare(source))
    await new Promise<void>((resolve, reject) => before.close((error) => (error ? reject(error) : resolve())))
  }
  return {
    dialect: 'sqlite',
    writer,
    reader,
    ...(aside ? { setAside: aside } : {}),
    verify,
    // Connections to a file answer, if only with an error.
    discard() {},
    async renew() {
      // A moved file would be opened as an empty one.
      await verify()
      for (const source of [writer, reader]) await reconnect(source)
    },
    async close() {
      for (const own of statements.values()) await own.close()
      await reader.destroy()
      await writer.destroy()
    },
  }
}
