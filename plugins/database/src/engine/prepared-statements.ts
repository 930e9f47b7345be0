import type { SqliteConnection, SqliteModule, SqliteStatement } from './binding.js'

/** Number of cached statements. The least recently used one is evicted first. */
const CAPACITY = 128
/** Longer statements insert many rows and rarely repeat. */
const MAX_LENGTH = 4_096

/** The result of a statement. */
export interface Outcome {
  readonly rows: unknown[]
  readonly affected: number
}

const REPEATED = /^(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/
const CHANGES = /^(INSERT|UPDATE|DELETE)\b/
const RETURNING = /\bRETURNING\b/i

interface CachedStatement {
  readonly statement: SqliteStatement
  readonly ready: Promise<void>
  isReady: boolean
  /** Number of callers that run it or wait for it. */
  users: number
  /** Evicted from the cache; finalized after its last use. */
  isEvicted: boolean
}

/** A cache of prepared statements of one SQLite connection. */
export class PreparedStatements {
  readonly #sqlite: SqliteModule
  readonly #connection: SqliteConnection
  readonly #cached = new Map<string, CachedStatement>()

  constructor(sqlite: SqliteModule, connection: SqliteConnection) {
    this.#sqlite = sqlite
    this.#connection = connection
  }

  /** Returns whether a statement is worth preparing. */
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
      if (kept.isEvicted && kept.users === 0) kept.statement.finalize()
    }
  }

  /** Finalizes all statements. Must be called before the connection is closed. */
  close(): void {
    for (const { statement } of this.#cached.values()) statement.finalize()
    this.#cached.clear()
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#cached.get(sql)
    if (known) {
      this.#cached.delete(sql)
      this.#cached.set(sql, known)
      return known
    }
    let prepared = (_error: Error | null): void => {}
    const ready = new Promise<void>((resolve, reject) => {
      prepared = (error) => {
        if (error) {
          this.#cached.delete(sql)
          reject(error)
          return
        }
        kept.isReady = true
        resolve()
      }
    })
    const kept: CachedStatement = {
      statement: new this.#sqlite.Statement(this.#connection, sql, (error) => prepared(error)),
      ready,
      isReady: false,
      users: 0,
      isEvicted: false,
    }
    this.#cached.set(sql, kept)
    const [oldest] = this.#cached
    if (this.#cached.size > CAPACITY && oldest) {
      const [text, out] = oldest
      this.#cached.delete(text)
      out.isEvicted = true
      if (out.users === 0) out.statement.finalize()
    }
    return kept
  }
}

function outcomeOf(statement: SqliteStatement, sql: string, parameters: readonly unknown[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Only `run` reports the number of changed rows, and only `all` returns rows.
    if (CHANGES.test(sql) && !RETURNING.test(sql))
      statement.run(parameters, function (error) {
        return error ? reject(error) : resolve({ rows: [], affected: this.changes })
      })
    else statement.all(parameters, (error, rows) => (error ? reject(error) : resolve({ rows, affected: rows.length })))
  })
}
