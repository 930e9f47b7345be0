// Records the statements that a release runs on SQLite, each with the parameters of its last run:
// `STATEMENTS=<file> NODE_OPTIONS="--import <this file>" npx mynah start`. Later releases run them in their tests.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const file = process.env.STATEMENTS
/** Transactions, the creation of tables and the lock of the file. */
const LEFT_OUT = /^(?:PRAGMA|BEGIN|COMMIT|ROLLBACK|CREATE)|\bsqlite_master\b|\bowner\b/
const kept = new Map()

/** Wraps a method whose first arguments are parameters, which the driver takes with a callback at the end. */
function record(prototype, method, textOf) {
  const original = prototype[method]
  prototype[method] = function (...given) {
    const { sql, parameters } = textOf(this, given)
    if (LEFT_OUT.test(sql)) return original.apply(this, given)
    // The last run is the one after all others: its keys are new ones.
    kept.delete(sql)
    kept.set(sql, parameters)
    return original.apply(this, given)
  }
}

const listOf = (value) => (Array.isArray(value) ? value : [])

if (file) {
  const { Database, Statement } = createRequire(join(process.cwd(), 'index.js'))('sqlite3')
  for (const method of ['run', 'all']) {
    record(Statement.prototype, method, (statement, given) => ({
      sql: statement.sql,
      parameters: listOf(given[0]),
    }))
    record(Database.prototype, method, (_, given) => ({ sql: given[0], parameters: listOf(given[1]) }))
  }
  process.on('exit', () => {
    const lines = Array.from(kept, ([sql, parameters]) => JSON.stringify({ sql, parameters }))
    if (lines.length > 0) writeFileSync(file, `${lines.join('\n')}\n`)
  })
}
