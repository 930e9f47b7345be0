// One database file in memory with a writing and a reading connection, as the plugin `database` opens a real file.
// Histories use the same file one after the other: to empty its tables costs less than to open a copy and to prepare
// all statements again.
import { createRequire } from 'node:module'
import { resolveOnDemand } from '../../../tools/on-demand.mjs'

const initSqlJs = createRequire(import.meta.url)(await resolveOnDemand('sim', 'sql.js'))
const SQL = await initSqlJs()
let opened = 0

/** Opens a connection to the file of that number: sql.js names its files by `Math.random`. */
function connect(number, image) {
  const { random } = Math
  Math.random = () => (number + 0.5) / 0xffffffff
  try {
    return new SQL.Database(image)
  } finally {
    Math.random = random
  }
}

/** Prepared statements that a connection keeps. Lists of any length give new ones in each history. */
const MAX_STATEMENTS = 1_000

/** Whether a transaction is open after a statement, where that changes. */
function beginsOf(sql) {
  if (/^\s*BEGIN/i.test(sql)) return true
  return /^\s*(COMMIT|ROLLBACK(?! TO))/i.test(sql) ? false : undefined
}

const prepare = (database, sql) => ({
  statement: database.prepare(sql),
  /** Known with the first row: sql.js reads them from its memory each time. */
  columns: undefined,
  begins: beginsOf(sql),
  isRead: /^\s*SELECT/i.test(sql),
})

/** Returns the current row of a statement. */
function rowOf(prepared) {
  const { statement } = prepared
  prepared.columns ??= statement.getColumnNames()
  const values = statement.get()
  const row = {}
  for (let index = 0; index < values.length; index++) row[prepared.columns[index]] = values[index]
  return row
}

/** A connection with its prepared statements. */
class Connection {
  /** Whether a transaction is open. */
  began = false
  #database
  #statements = new Map()

  constructor(database) {
    this.#database = database
  }

  /** Runs one statement, of `?1` or `$1` parameters, and returns its rows and the number of changed ones. */
  run(sql, parameters = []) {
    const prepared = this.#prepared(sql)
    const { statement } = prepared
    const rows = []
    try {
      if (parameters.length > 0) statement.bind(parameters.map(toSql))
      while (statement.step()) rows.push(rowOf(prepared))
    } finally {
      statement.reset()
    }
    if (prepared.begins !== undefined) this.began = prepared.begins
    return { rows, changes: prepared.isRead ? 0 : this.#database.getRowsModified() }
  }

  #prepared(sql) {
    let prepared = this.#statements.get(sql)
    if (!prepared) this.#statements.set(sql, (prepared = prepare(this.#database, sql)))
    return prepared
  }

  /** Rolls back a transaction that was not committed. */
  rollBack() {
    if (this.began) this.run('ROLLBACK')
  }

  /** Frees the statements where they are too many. */
  trim() {
    if (this.#statements.size > MAX_STATEMENTS) this.#free()
  }

  #free() {
    for (const { statement } of this.#statements.values()) statement.free()
    this.#statements.clear()
  }

  close() {
    this.#free()
    try {
      this.#database.close()
    } catch {
      // sql.js deletes the file with the first of its connections.
    }
  }

  export() {
    this.#statements.clear()
    return this.#database.export()
  }
}

const toSql = (value) => {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}

/** A file that no history uses, by its image. */
const unused = new Map()

export class SqlFile {
  writer
  reader
  #image
  #tables
  #first

  /**
   * Returns a file with the tables and rows of an image. Close it when the history has ended.
   *
   * @param image bytes of a database
   */
  static of(image) {
    const file = unused.get(image)
    unused.delete(image)
    if (!file) return new SqlFile(image)
    file.#restore()
    return file
  }

  /** @param image bytes of a database; default: an empty one */
  constructor(image) {
    const number = opened++ % 1_000_000
    this.#image = image
    this.writer = new Connection(connect(number, image))
    if (!image) this.writer.run('PRAGMA page_size = 1024')
    this.writer.run('PRAGMA journal_mode = MEMORY')
    this.writer.run('PRAGMA synchronous = OFF')
    this.reader = new Connection(connect(number))
    if (image) this.#remember()
  }

  /** Keeps the names of the tables, and the few rows that an image has. */
  #remember() {
    // Those with triggers come first: what these write is deleted as well.
    const tables = this.rows(
      `SELECT name FROM sqlite_master AS this WHERE type = 'table' ORDER BY NOT EXISTS (
         SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = this.name), name`,
    )
    this.#tables = tables.map(({ name }) => `"${name}"`)
    this.#first = this.#tables.flatMap((table) => this.rows(`SELECT * FROM ${table}`).map((row) => ({ table, row })))
  }

  /** Makes the file as it was when it was opened. */
  #restore() {
    for (const side of [this.reader, this.writer]) {
      side.rollBack()
      side.trim()
    }
    this.writer.run('BEGIN')
    for (const table of this.#tables) this.writer.run(`DELETE FROM ${table}`)
    for (const { table, row } of this.#first) {
      const values = Object.values(row)
      this.writer.run(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, values)
    }
    this.writer.run('COMMIT')
  }

  /** Rolls back a transaction that was not committed, as a crash does. */
  crash() {
    this.writer.rollBack()
  }

  /** Returns the rows of a query on what is committed. */
  rows(sql, ...parameters) {
    return this.reader.run(sql, parameters).rows
  }

  export() {
    return this.writer.export()
  }

  /** Keeps the file for the next history. */
  close() {
    if (this.#image && !unused.has(this.#image)) return void unused.set(this.#image, this)
    this.reader.close()
    this.writer.close()
  }
}
