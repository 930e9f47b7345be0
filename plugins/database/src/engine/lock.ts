// Only one host may use a database file. The lock is a write lock on a small SQLite file of its own: the operating system
// releases it when a process is killed, and other processes can still read which process holds it.
import { loadSqlite, type SqliteConnection, type SqliteModule } from './binding.js'
import { DatabaseInUse } from './database-in-use.js'
import { privateFile } from './private-files.js'

const LOCK_TIMEOUT_MS = 2_000
const LOCK_RETRY_MS = 100

const run = (connection: SqliteConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => connection.run(sql, (error) => (error ? reject(error) : resolve())))
const all = (connection: SqliteConnection, sql: string): Promise<Record<string, unknown>[]> =>
  new Promise((resolve, reject) => connection.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))))
const close = (connection: SqliteConnection): Promise<void> =>
  new Promise((resolve, reject) => connection.close((error) => (error ? reject(error) : resolve())))

function open(sqlite: SqliteModule, file: string): Promise<SqliteConnection> {
  return new Promise((resolve, reject) => {
    const connection = new sqlite.Database(file, (error) => (error ? reject(error) : resolve(connection)))
  })
}

const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))

async function ownerOf(connection: SqliteConnection): Promise<string> {
  const [owner] = await all(connection, 'SELECT pid, since FROM owner').catch(() => [])
  if (!owner) return 'another process'
  return `process ${Number(owner.pid)}, since ${new Date(Number(owner.since)).toISOString()}`
}

/** Takes the lock, writes its owner, and takes it again, because other processes see only a committed row. */
async function take(connection: SqliteConnection, now: number): Promise<void> {
  await run(connection, 'PRAGMA busy_timeout = 0')
  await run(connection, 'BEGIN IMMEDIATE')
  await run(connection, 'CREATE TABLE IF NOT EXISTS owner (pid integer, since integer)')
  await run(connection, 'DELETE FROM owner')
  await run(connection, `INSERT INTO owner VALUES (${process.pid}, ${now})`)
  await run(connection, 'COMMIT')
  await run(connection, 'BEGIN IMMEDIATE')
}

/**
 * Locks `<file>.lock` until the returned function is called or the process ends. Waits 2 s for a host that is just stopping.
 *
 * @throws DatabaseInUse if another host holds the lock
 */
export async function lockFile(file: string, now: number): Promise<() => Promise<void>> {
  const sqlite = await loadSqlite()
  await privateFile(`${file}.lock`)
  const connection = await open(sqlite, `${file}.lock`)
  const until = performance.now() + LOCK_TIMEOUT_MS
  try {
    for (;;) {
      try {
        await take(connection, now)
        return async () => {
          await run(connection, 'ROLLBACK')
          await close(connection)
        }
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > until) {
          throw new DatabaseInUse(
            `The data directory is in use by another host (${await ownerOf(connection)})`,
            'Stop the other host, or set another database.file',
            error,
          )
        }
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
      }
    }
  } catch (error) {
    await close(connection)
    throw error
  }
}
