import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Table } from 'typeorm'
import type { Statements } from '../api.js'
import { loadSqlite, type SqliteConnection } from '../engine/binding.js'

/** Name of the file in the data directory. `mynah restore` puts it there. */
export const MOVE_FILE = 'move.sqlite'
/** Fewer than the 32,766 parameters of SQLite and the 65,535 of PostgreSQL. */
const MAX_PARAMETERS = 30_000
const MAX_ROWS = 500

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The rows of another database, of either system. A table that is created here gets its rows from it, in the
 * transaction that creates the table.
 */
export class MovedRows {
  /** Of this move: a later file of the same name is another one, the same file with corrections is not. */
  readonly id: string
  readonly #file: string
  readonly #source: SqliteConnection
  /** Tables of the source that have not been moved. */
  readonly #left: Set<string>
  #rows = 0
  #cleaned = 0
  #closing: Promise<void> | undefined

  private constructor(id: string, file: string, source: SqliteConnection, tables: readonly string[]) {
    this.id = id
    this.#file = file
    this.#source = source
    this.#left = new Set(tables)
  }

  /** Opens the file. Returns `undefined` if there is none. */
  static async open(file: string): Promise<MovedRows | undefined> {
    if (!existsSync(file)) return undefined
    const { Database } = await loadSqlite()
    const source = await new Promise<SqliteConnection>((resolve, reject) => {
      const connection: SqliteConnection = new Database(file, (error) => (error ? reject(error) : resolve(connection)))
    })
    const names = await all<{ name: string }>(
      source,
      // Search indexes are virtual tables, which are built from the tables they belong to.
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
       AND name NOT IN ('mynah_migration', 'mynah_move')`,
    )
    return new MovedRows(
      await idOf(source),
      file,
      source,
      names.map(({ name }) => name),
    )
  }

  /** Tables whose rows are still in the file alone. */
  get left(): readonly string[] {
    return [...this.#left]
  }

  /** How many texts had NUL characters, each of which is U+FFFD now. */
  get cleaned(): number {
    return this.#cleaned
  }

  /** How many rows were moved. */
  get rows(): number {
    return this.#rows
  }

  /**
   * Checks that the rows can be moved at all: tables that have rows already keep them.
   *
   * @throws Error naming the tables that have rows, unless those came from this file
   */
  async assertUnused(db: Statements): Promise<void> {
    const here = await db.query<{ name: string }>(
      db.dialect === 'postgres'
        ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
        : `SELECT name FROM sqlite_master WHERE type = 'table'`,
    )
    if (!here.some(({ name }) => name === 'mynah_migration')) return
    const done = new Set((await db.query<{ id: string }>('SELECT id FROM mynah_migration')).map(({ id }) => id))
    const used: string[] = []
    for (const { name } of here) {
      if (!this.#left.has(name) || done.has(`${name}/${this.id}`)) continue
      if ((await db.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)).length > 0) used.push(name)
    }
    if (used.length === 0) return
    throw new Error(
      `data/${basename(this.#file)} has the rows of a restored backup, and this database has rows of its own in ` +
        `${used.slice(0, 3).join(', ')}${used.length > 3 ? ` and ${used.length - 3} more tables` : ''}: ` +
        'empty the database to get those of the backup, or remove the file to keep these',
    )
  }

  /**
   * Copies the rows of a new table.
   *
   * @param migrations names of all migrations of the table
   * @throws if the file has an older form of the table, or if a row was not copied
   */
  async fill(table: Table, migrations: readonly string[], db: Statements): Promise<void> {
    const { name } = table
    if (this.isClosed || !this.#left.has(name)) return
    const columns = (await all<{ name: string }>(this.#source, `PRAGMA table_info(${quoted(name)})`)).map(
      (column) => column.name,
    )
    const unknown = columns.find((column) => !table.columns.some((wanted) => wanted.name === column))
    if (unknown !== undefined || !(await this.#hasMigrations(name, migrations)))
      throw new Error(
        `${basename(this.#file)} has another form of it${unknown === undefined ? '' : ` (column "${unknown}")`}: ` +
          'start this version once with the old database, then back it up again',
      )
    const booleans = new Set(
      db.dialect === 'postgres' ? table.columns.filter(({ type }) => type === 'boolean').map((one) => one.name) : [],
    )
    const list = columns.map(quoted).join(', ')
    let copied = 0
    for await (const rows of this.#pages(name, columns)) {
      const values = rows.flatMap((row) =>
        columns.map((column) =>
          booleans.has(column) && row[column] !== null ? Boolean(row[column]) : this.#storable(row[column], db),
        ),
      )
      const places = rows.map(
        (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
      )
      await db.query(`INSERT INTO ${quoted(name)} (${list}) VALUES ${places.join(', ')}`, values)
      copied += rows.length
    }
    const count = `SELECT count(*) AS n FROM ${quoted(name)}`
    const [[here], [there]] = await Promise.all([
      db.query<{ n: number | string }>(count),
      all<{ n: number }>(this.#source, count),
    ])
    if (Number(here?.n) !== there?.n) throw new Error(`${there?.n} rows were to be moved, ${here?.n} arrived`)
    this.#rows += copied
  }

  /** Returns a value without the NUL characters that PostgreSQL has no place for. */
  #storable(value: unknown, { dialect }: Statements): unknown {
    if (dialect !== 'postgres' || typeof value !== 'string' || !value.includes('\0')) return value
    this.#cleaned++
    return value.replaceAll('\0', '\uFFFD')
  }

  /** Reads the rows of a table, each page in one insert. */
  async *#pages(table: string, columns: readonly string[]): AsyncGenerator<readonly Record<string, unknown>[]> {
    const list = columns.map(quoted).join(', ')
    const limit = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / columns.length)))
    const order = await this.#orderOf(table, columns)
    let read = 0
    let after = ''
    for (;;) {
      // Pages after a row id take the same time at the end of a large table. As text: ids may exceed the numbers of JS.
      const page = order.isRowId
        ? `${after && `WHERE ${order.by} > ${after}`} ORDER BY ${order.by} LIMIT ${limit}`
        : `ORDER BY ${order.by} LIMIT ${limit} OFFSET ${read}`
      const rows = await all<Record<string, unknown>>(
        this.#source,
        `SELECT ${order.isRowId ? `CAST(${order.by} AS TEXT)` : "''"} AS mynah_row, ${list} FROM ${quoted(table)} ${page}`,
      )
      if (rows.length === 0) return
      yield rows
      read += rows.length
      after = String(rows.at(-1)?.mynah_row)
    }
  }

  /** Returns what orders the rows of a table: its row id, or the primary key of a table that has none. */
  async #orderOf(
    table: string,
    columns: readonly string[],
  ): Promise<{ readonly by: string; readonly isRowId: boolean }> {
    const [kind] = await all<{ wr: number }>(
      this.#source,
      `SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = '${table.replaceAll("'", "''")}'`,
    )
    // A column may take one of the three names of the row id.
    const taken = new Set(columns.map((column) => column.toLowerCase()))
    const rowId = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name))
    if (kind?.wr !== 1 && rowId !== undefined) return { by: rowId, isRowId: true }
    const keys = await all<{ name: string; pk: number }>(this.#source, `PRAGMA table_info(${quoted(table)})`)
    const by = keys.filter(({ pk }) => pk > 0).map(({ name }) => quoted(name))
    return { by: (by.length > 0 ? by : columns.map(quoted)).join(', '), isRowId: false }
  }

  /** Says that the transaction of {@link MovedRows.fill} is committed. */
  moved(table: string): void {
    this.#left.delete(table)
  }

  async #hasMigrations(table: string, migrations: readonly string[]): Promise<boolean> {
    if (migrations.length === 0) return true
    const done = new Set(
      (await all<{ id: string }>(this.#source, 'SELECT id FROM mynah_migration').catch(() => [])).map(({ id }) => id),
    )
    return migrations.every((name) => done.has(`${table}/${name}`))
  }

  get isClosed(): boolean {
    return this.#closing !== undefined
  }

  /** Closes the file. A file whose rows were all moved gets another name, so that it is not read again. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    await new Promise<void>((resolve) => this.#source.close(() => resolve()))
    if (this.#left.size === 0) await rename(this.#file, this.#file.replace(/\.sqlite$/, '-done.sqlite'))
  }
}

/** Returns the id of a move, which its file keeps. */
async function idOf(source: SqliteConnection): Promise<string> {
  await all(source, 'CREATE TABLE IF NOT EXISTS mynah_move (id TEXT NOT NULL)')
  await all(source, `INSERT INTO mynah_move SELECT '${randomUUID()}' WHERE NOT EXISTS (SELECT 1 FROM mynah_move)`)
  const [row] = await all<{ id: string }>(source, 'SELECT id FROM mynah_move')
  return `rows:${row?.id}`
}

const all = <R>(source: SqliteConnection, sql: string): Promise<R[]> =>
  new Promise((resolve, reject) =>
    source.all(sql, (error, rows) => (error ? reject(error) : resolve(rows as unknown as R[]))),
  )
