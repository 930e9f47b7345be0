import { createRequire } from 'node:module'
import { realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'

interface Connection {
  all(sql: string, callback: (error: Error | null, rows: Record<string, unknown>[]) => void): void
  close(callback: (error: Error | null) => void): void
}
interface Sqlite {
  readonly OPEN_READWRITE: number
  readonly Database: new (file: string, mode: number, callback: (error: Error | null) => void) => Connection
}

const HEADER = Buffer.from('SQLite format 3\0')
const BUSY_TIMEOUT_MS = 30_000

/** Returns whether a file is a SQLite database, by its first bytes. */
export async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
    return bytesRead === HEADER.length && buffer.equals(HEADER)
  } finally {
    await handle.close()
  }
}

/** Loads the library of the database plugin, resolved from the folder of the host or from this package. */
function load(root: string): Sqlite {
  for (const from of [root, import.meta.dirname]) {
    try {
      const plugin = dirname(
        realpathSync(createRequire(join(from, 'index.js')).resolve('@mynah/plugin-database/package.json')),
      )
      return createRequire(join(plugin, 'index.js'))('sqlite3') as Sqlite
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw unusable(error)
    }
  }
  throw unusable()
}

const unusable = (cause?: unknown): UserError =>
  new UserError('sqlite3 does not load, so the database cannot be read', {
    exitCode: EXIT.failure,
    remedy: 'Run: mynah doctor',
    cause,
  })

/**
 * Copies a database into a new file and checks the copy. The copy is consistent even while a host writes to the
 * database.
 *
 * @throws UserError if the database is damaged or the library is missing
 */
export async function copySqlite(root: string, from: string, to: string): Promise<void> {
  const sqlite = load(root)
  const source = await connect(sqlite, from)
  try {
    await all(source, `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    // One read transaction, which sees no later writes and blocks no writer.
    await all(source, `VACUUM INTO '${to.replaceAll("'", "''")}'`)
  } finally {
    await close(source)
  }
  const copy = await connect(sqlite, to)
  try {
    const verdict = Object.values((await all(copy, 'PRAGMA integrity_check(1)'))[0] ?? {})[0]
    if (verdict !== 'ok')
      throw new UserError(`the copy of a database is damaged: ${String(verdict)}`, {
        exitCode: EXIT.failure,
        remedy: 'The database itself is probably damaged: restart the host, which checks it',
      })
  } finally {
    await close(copy)
  }
}

/** Returns the rows of a query on the database in a file. */
export async function querySqlite(root: string, file: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await connect(load(root), file)
  try {
    await all(connection, `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return await all(connection, sql)
  } finally {
    await close(connection)
  }
}

function connect({ Database, OPEN_READWRITE }: Sqlite, file: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection: Connection = new Database(file, OPEN_READWRITE, (error) =>
      error ? reject(error) : resolve(connection),
    )
  })
}

const all = (connection: Connection, sql: string): Promise<Record<string, unknown>[]> =>
  new Promise((resolve, reject) => connection.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))))

const close = (connection: Connection): Promise<void> =>
  new Promise((resolve, reject) => connection.close((error) => (error ? reject(error) : resolve())))
