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
  /** Set when it is evicted from the cache. Called after its last use, when it is finalized. */
  evicted: (() => void) | undefined
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
    } catch (error) {
      // A write that was refused stays in progress until it is reset, and each COMMIT of its connection fails
      // meanwhile.
      if (kept.isReady) await reset(kept.statement)
      throw error
    } finally {
      kept.users--
      if (kept.users === 0) kept.evicted?.()
    }
  }

  /** Finalizes all statements, each after its last use. Must have ended before the connection is closed. */
  async close(): Promise<void> {
    const all = Array.from(this.#cached.values())
    this.#cached.clear()
    await Promise.all(all.map(evict))
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
      evicted: undefined,
    }
    this.#cached.set(sql, kept)
    const [oldest] = this.#cached
    if (this.#cached.size > CAPACITY && oldest) {
      const [text, out] = oldest
      this.#cached.delete(text)
      void evict(out)
    }
    return kept
  }
}

/** Resolves when the statement is finalized. */
function evict(kept: CachedStatement): Promise<void> {
  return new Promise((resolve) => {
    kept.evicted = () => {
      kept.statement.finalize()
      resolve()
    }
    if (kept.users === 0) kept.evicted()
  })
}

const reset = (statement: SqliteStatement): Promise<void> => new Promise((resolve) => statement.reset(resolve))

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
