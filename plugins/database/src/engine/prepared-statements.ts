// Prepared statements of one SQLite connection: what is asked often is parsed once.
import type { SqliteConnection, SqliteModule, SqliteStatement } from './binding.js'

/** Statements kept, the least recently used given up first. */
const CAPACITY = 128
/** Longer texts differ each time: statements with many rows. */
const MAX_LENGTH = 4_096

/** What a statement gave. */
export interface Outcome {
  readonly rows: unknown[]
  readonly affected: number
}

const REPEATED = /^(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/
const CHANGES = /^(INSERT|UPDATE|DELETE)\b/
const RETURNING = /\bRETURNING\b/i

interface Kept {
  readonly statement: SqliteStatement
  readonly ready: Promise<void>
  isReady: boolean
  /** Who runs it now or waits for it. */
  users: number
  /** Given up, and ended when nobody uses it. */
  isOut: boolean
}

export class PreparedStatements {
  readonly #sqlite: SqliteModule
  readonly #connection: SqliteConnection
  readonly #kept = new Map<string, Kept>()

  constructor(sqlite: SqliteModule, connection: SqliteConnection) {
    this.#sqlite = sqlite
    this.#connection = connection
  }

  /** Whether a statement is worth preparing. */
  static repeats(sql: string): boolean {
    return sql.length <= MAX_LENGTH && REPEATED.test(sql)
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    const kept = this.#prepare(sql)
    kept.users++
    try {
      if (!kept.isReady) await kept.ready
      return await outcomeOf(kept.statement, sql, parameters)
    } finally {
      kept.users--
      if (kept.isOut && kept.users === 0) kept.statement.finalize()
    }
  }

  /** Must come before the connection is closed. */
  close(): void {
    for (const { statement } of this.#kept.values()) statement.finalize()
    this.#kept.clear()
  }

  #prepare(sql: string): Kept {
    const known = this.#kept.get(sql)
    if (known) {
      this.#kept.delete(sql)
      this.#kept.set(sql, known)
      return known
    }
    let prepared = (_error: Error | null): void => {}
    const ready = new Promise<void>((resolve, reject) => {
      prepared = (error) => {
        if (error) {
          this.#kept.delete(sql)
          reject(error)
          return
        }
        kept.isReady = true
        resolve()
      }
    })
    const kept: Kept = {
      statement: new this.#sqlite.Statement(this.#connection, sql, (error) => prepared(error)),
      ready,
      isReady: false,
      users: 0,
      isOut: false,
    }
    this.#kept.set(sql, kept)
    const [oldest] = this.#kept
    if (this.#kept.size > CAPACITY && oldest) {
      const [text, out] = oldest
      this.#kept.delete(text)
      out.isOut = true
      if (out.users === 0) out.statement.finalize()
    }
    return kept
  }
}

function outcomeOf(statement: SqliteStatement, sql: string, parameters: readonly unknown[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Only one of the two tells the number of changed rows, and only the other one the rows.
    if (CHANGES.test(sql) && !RETURNING.test(sql))
      statement.run(parameters, function (error) {
        return error ? reject(error) : resolve({ rows: [], affected: this.changes })
      })
    else statement.all(parameters, (error, rows) => (error ? reject(error) : resolve({ rows, affected: rows.length })))
  })
}
