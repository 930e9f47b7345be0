// The database of a release, as its own statements see it.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

type Rows = readonly Readonly<Record<string, unknown>>[]

interface Sqlite {
  readonly Database: new (file: string) => {
    all(sql: string, parameters: readonly unknown[], done: (error: Error | null, rows: Rows) => void): void
    close(done: () => void): void
  }
}

/** A statement that a release ran, with its parameters, as tools/record-statements.mjs writes it. */
export interface Recorded {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** An insert whose keys are new. The only row of `stream_head` is there. */
const NEW_ROW = /^\s*INSERT\b(?!\s+INTO\s+"?stream_head\b)/i

export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Rows>

/** Opens a database file for `work`. */
export async function withDatabase<T>(file: string, work: (run: Run) => Promise<T>): Promise<T> {
  const plugin = createRequire(join(ROOT, 'plugins/database/package.json'))
  const { Database } = plugin('sqlite3') as Sqlite
  const database = new Database(file)
  const run: Run = (sql, parameters = []) =>
    new Promise((resolve, reject) =>
      database.all(sql, parameters, (error, found) =>
        error ? reject(new Error(`${error.message}: ${sql}`)) : resolve(found),
      ),
    )
  try {
    return await work(run)
  } finally {
    await new Promise<void>((resolve) => database.close(resolve))
  }
}

export interface Column {
  readonly table: string
  readonly name: string
  readonly needed: number
}

/** Returns the columns of all tables, with whether an insert must name them. */
export const columnsOf = async (run: Run): Promise<readonly Column[]> =>
  (await run(`SELECT m.name AS "table", c.name, c."notnull" AND c.dflt_value IS NULL AS needed
    FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`)) as unknown as readonly Column[]

async function changesOf(run: Run): Promise<unknown> {
  const [row] = await run('SELECT total_changes() AS changes')
  return row?.['changes']
}

/** Runs the statements of a release, and takes all back. Returns those whose insert added no row. */
export async function withoutEffect(run: Run, statements: readonly Recorded[]): Promise<string[]> {
  const vain: string[] = []
  await run('BEGIN')
  for (const { sql, parameters } of statements) {
    const before = await changesOf(run)
    await run(sql, parameters)
    if (NEW_ROW.test(sql) && (await changesOf(run)) === before) vain.push(sql)
  }
  await run('ROLLBACK')
  return vain
}
