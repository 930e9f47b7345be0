// Writes the rows of a PostgreSQL database to a file that a database of either system can take over.
import { createRequire } from 'node:module'
import { loadSqlite, type SqliteStatement } from '../engine/binding.js'

/** The used part of the module `pg`, which has no types. */
interface Client {
  connect(): Promise<void>
  query(sql: string): Promise<{ readonly rows: Record<string, unknown>[] }>
  end(): Promise<void>
}
interface Pg {
  readonly Client: new (options: object) => Client
}

const BATCH = 1_000
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Copies all tables of one moment into a new SQLite file. A host may write meanwhile.
 *
 * @returns the number of rows
 * @throws if the server does not answer, or the file cannot be written
 */
export async function dumpPostgres(url: string, file: string): Promise<number> {
  const { Database, Statement } = await loadSqlite()
  const pg = createRequire(import.meta.url)('pg') as Pg
  const client = new pg.Client({ connectionString: url, application_name: 'mynah backup' })
  await client.connect()
  try {
    const target = await new Promise<InstanceType<typeof Database>>((resolve, reject) => {
      const opened = new Database(file, (error) => (error ? reject(error) : resolve(opened)))
    })
    const run = (sql: string): Promise<void> =>
      new Promise((resolve, reject) => target.run(sql, (error) => (error ? reject(error) : resolve())))
    const insert = (statement: SqliteStatement, values: readonly unknown[]): Promise<void> =>
      new Promise((resolve, reject) => statement.run(values, (error) => (error ? reject(error) : resolve())))
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await run('BEGIN')
      let rows = 0
      for (const [table, columns] of await tablesOf(client)) {
        await run(
          `CREATE TABLE ${quoted(table)} (${columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')})`,
        )
        const sql = `INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`
        const statement = await new Promise<SqliteStatement>((resolve, reject) => {
          const prepared = new Statement(target, sql, (error) => (error ? reject(error) : resolve(prepared)))
        })
        const list = columns.map(({ name }) => quoted(name)).join(', ')
        await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(table)}`)
        for (;;) {
          const page = (await client.query(`FETCH ${BATCH} FROM rows`)).rows
          for (const row of page)
            await insert(
              statement,
              columns.map(({ name }) => plain(row[name])),
            )
          rows += page.length
          if (page.length < BATCH) break
        }
        await client.query('CLOSE rows')
        statement.finalize()
      }
      await run('COMMIT')
      return rows
    } finally {
      await new Promise<void>((resolve) => target.close(() => resolve()))
    }
  } finally {
    await client.end()
  }
}

const plain = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

interface Column {
  readonly name: string
  readonly type: string
}

/**
 * Returns the tables with their columns, in the types of SQLite: these turn the digits of a number into a number. The
 * tables of the plugin cluster belong to the hosts that run now. Generated columns are computed again.
 */
async function tablesOf(client: Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query(
    `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
       AND left(c.table_name, 8) <> 'cluster_' AND c.is_generated = 'NEVER'
     ORDER BY c.table_name, c.ordinal_position`,
  )
  const found = new Map<string, Column[]>()
  for (const { table, name, type } of rows as { table: string; name: string; type: string }[]) {
    const own = found.get(table) ?? []
    found.set(table, [...own, { name, type: TYPES[type] ?? 'text' }])
  }
  return found
}
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'bigint',
  integer: 'integer',
  boolean: 'boolean',
  real: 'real',
  'double precision': 'real',
}
