// What the store needs of a database system: two data sources and the few things that dialects say differently.
import type { DataSource, EntitySchema, QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { PreparedStatements } from './prepared-statements.js'

/** An open database. */
export interface Engine {
  readonly dialect: Dialect
  /** Only the writer lane uses it. */
  readonly writer: DataSource
  /** Cannot write. */
  readonly reader: DataSource
  /** Name of the file that a damaged database was moved to. */
  readonly setAside?: string
  /** Rejects where writing would succeed and still be lost: the file that is open stands no longer under its name. */
  verify(): Promise<void>
  /** Told when the database is away: gives up connections that may be broken, so that nothing waits for them. */
  discard(): void
  close(): Promise<void>
}

/** The answer of one statement. */
export interface Answer {
  readonly rows: unknown[]
  readonly affected: number
}

const PLACEHOLDER = /\$(\d+)/g

/** The prepared statements of data sources that have them. */
const prepared = new WeakMap<DataSource, PreparedStatements>()

/** Lets a data source keep the statements that it is asked often. */
export function prepareOn(source: DataSource, statements: PreparedStatements): void {
  prepared.set(source, statements)
}

/** Runs a statement whose parameters are written `$1`, `$2`, … */
export async function execute(
  dialect: Dialect,
  runner: QueryRunner,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Answer> {
  let text = sql.trim()
  if (dialect === 'sqlite') {
    text = text.replace(PLACEHOLDER, '?$1')
    const statements = prepared.get(runner.connection)
    if (statements && PreparedStatements.repeats(text)) return statements.run(text, parameters)
    // The driver drops the rows of statements that begin with these words.
    if (/^(INSERT|UPDATE|DELETE) /.test(text) && /\breturning\b/i.test(text)) text = ` ${text}`
  }
  const result = await runner.query(text, parameters as unknown[], true)
  const rows = Array.isArray(result.records) ? result.records : []
  return { rows, affected: result.affected ?? 0 }
}

/** Rebuilds what a data source knows of its entities while it stays open; whoever reads meanwhile keeps the old view. */
export async function setEntities(source: DataSource, schemas: readonly EntitySchema[]): Promise<void> {
  source.setOptions({ entities: schemas as EntitySchema[] })
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas()
}
