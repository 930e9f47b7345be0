import { existsSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
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
  /** Of this file: a later one of the same name is another move. */
  readonly id: string
  readonly #file: string
  readonly #source: SqliteConnection
  /** Tables of the source that have not been moved. */
  readonly #left: Set<string>
  #rows = 0
  #closed = false

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
    const { mtimeMs, size } = await stat(file)
    const source = await new Promise<SqliteConnection>((resolve, reject) => {
      const connection: SqliteConnection = new Database(file, (error) => (error ? reject(error) : resolve(connection)))
    })
    const names = await all<{ name: string }>(
      source,
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'mynah_migration'`,
    )
    return new MovedRows(
      `rows:${Math.round(mtimeMs)}-${size}`,
      file,
      source,
      names.map(({ name }) => name),
    )
  }

  /** Tables whose rows are still in the file alone. */
  get left(): readonly string[] {
    return [...this.#left]
  }

  /** How many rows were moved. */
  get rows(): number {
    return this.#rows
  }

  /**
   * Copies the rows of a new table.
   *
   * @param migrations names of all migrations of the table
   * @throws if the file has an older form of the table, or if a row was not copied
   */
  async fill(table: Table, migrations: readonly string[], db: Statements): Promise<void> {
    const { name } = table
    if (this.#closed || !this.#left.has(name)) return
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
    const perInsert = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / columns.length)))
    let copied = 0
    for (let after = 0; ;) {
      const rows = await all<Record<string, unknown> & { readonly mynah_row: number }>(
        this.#source,
        `SELECT rowid AS mynah_row, ${list} FROM ${quoted(name)} WHERE rowid > ${after} ORDER BY rowid LIMIT ${perInsert}`,
      )
      if (rows.length === 0) break
      after = rows.at(-1)?.mynah_row ?? after
      const values = rows.flatMap((row) =>
        columns.map((column) => (booleans.has(column) && row[column] !== null ? Boolean(row[column]) : row[column])),
      )
      const places = rows.map(
        (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
      )
      await db.query(`INSERT INTO ${quoted(name)} (${list}) VALUES ${places.join(', ')}`, values)
      copied += rows.length
    }
    const [count] = await db.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${quoted(name)}`)
    if (Number(count?.n) !== copied) throw new Error(`${copied} rows were to be moved, ${count?.n} arrived`)
    this.#rows += copied
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
    return this.#closed
  }

  /** Closes the file. A file whose rows were all moved gets another name, so that it is not read again. */
  async close(): Promise<void> {
    this.#closed = true
    await new Promise<void>((resolve) => this.#source.close(() => resolve()))
    if (this.#left.size === 0) await rename(this.#file, this.#file.replace(/\.sqlite$/, '-done.sqlite'))
  }
}

const all = <R>(source: SqliteConnection, sql: string): Promise<R[]> =>
  new Promise((resolve, reject) =>
    source.all(sql, (error, rows) => (error ? reject(error) : resolve(rows as unknown as R[]))),
  )
