// One host a database file: a lock of the operating system, which a killed process cannot leave behind.
// It is a write lock on a small SQLite file of its own; others still read there who holds it.
import { loadSqlite, type SqliteConnection, type SqliteModule } from './binding.js'
import { DatabaseInUse } from './in-use.js'
import { privateFile } from './private-files.js'

const PATIENCE_MS = 2_000
const PAUSE_MS = 100

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

/** Takes the lock, tells others who has it, and takes it again: the row must be committed to be seen. */
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
 * Locks `<file>.lock` until the returned function is called or the process ends. A host that is just closing gets 2 s.
 *
 * @throws DatabaseInUse when another host holds it.
 */
export async function lockFile(file: string, now: number): Promise<() => Promise<void>> {
  const sqlite = await loadSqlite()
  await privateFile(`${file}.lock`)
  const connection = await open(sqlite, `${file}.lock`)
  const until = performance.now() + PATIENCE_MS
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
            'Stop the other host, or name another file under database.file',
            error,
          )
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  } catch (error) {
    await close(connection)
    throw error
  }
}
