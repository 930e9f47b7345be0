// One database file in memory with a writing and a reading connection, as the plugin `database` opens a real file.
import initSqlJs from 'sql.js'

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
    const statement = this.#statement(sql)
    const rows = []
    try {
      if (parameters.length > 0) statement.bind(parameters.map(toSql))
      while (statement.step()) rows.push(statement.getAsObject())
    } finally {
      statement.reset()
    }
    if (/^\s*BEGIN/i.test(sql)) this.began = true
    else if (/^\s*(COMMIT|ROLLBACK(?! TO))/i.test(sql)) this.began = false
    return { rows, changes: this.#database.getRowsModified() }
  }

  #statement(sql) {
    let statement = this.#statements.get(sql)
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)))
    return statement
  }

  close() {
    for (const statement of this.#statements.values()) statement.free()
    this.#statements.clear()
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

export class SqlFile {
  writer
  reader

  /** @param image bytes of a database; default: an empty one */
  constructor(image) {
    const number = opened++ % 1_000_000
    this.writer = new Connection(connect(number, image))
    if (!image) this.writer.run('PRAGMA page_size = 1024')
    this.writer.run('PRAGMA journal_mode = MEMORY')
    this.writer.run('PRAGMA synchronous = OFF')
    this.reader = new Connection(connect(number))
  }

  /** Rolls back a transaction that was not committed, as a crash does. */
  crash() {
    if (this.writer.began) this.writer.run('ROLLBACK')
  }

  /** Returns the rows of a query on what is committed. */
  rows(sql, ...parameters) {
    return this.reader.run(sql, parameters).rows
  }

  export() {
    return this.writer.export()
  }

  close() {
    this.reader.close()
    this.writer.close()
  }
}
