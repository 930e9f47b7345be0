import type { DataSource, EntitySchema, QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { PreparedStatements } from './prepared-statements.js'

/** An open database: two data sources and the operations that differ between the systems. */
export interface Engine {
  readonly dialect: Dialect
  /** Used by the write queue only. */
  readonly writer: DataSource
  /** Read-only. */
  readonly reader: DataSource
  /** Timeline of the PostgreSQL server, if it tells. */
  readonly timeline?: number | undefined
  /** Channel that is notified of each commit with events, where hosts share the database. */
  readonly streamChannel?: string | undefined
  /** Name of the file to which a damaged database was moved. */
  readonly setAside?: string
  /** Rejects if the open file was moved or removed, because writes would succeed and still be lost. */
  verify(): Promise<void>
  /**
   * Closes connections that may be broken, so that no statement waits for them. Called when the database becomes
   * unavailable.
   */
  discard(): void
  /** Opens connections again. Called after each failed probe, while nothing is written. Rejects if that fails. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** The result of one statement. */
export interface Answer {
  readonly rows: unknown[]
  readonly affected: number
}

const PLACEHOLDER = /\$(\d+)/g

/** Prepared statements by data source. */
const prepared = new WeakMap<DataSource, PreparedStatements>()

/** Makes a data source reuse prepared statements. */
export function usePreparedStatements(source: DataSource, statements: PreparedStatements): void {
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
    // The driver drops the rows of statements that start with these words.
    if (/^(INSERT|UPDATE|DELETE) /.test(text) && /\breturning\b/i.test(text)) text = ` ${text}`
  }
  const result = await runner.query(text, parameters as unknown[], true)
  const rows = Array.isArray(result.records) ? result.records : []
  return { rows, affected: result.affected ?? 0 }
}

/**
 * Throws where the connection of a runner was closed before its user released it. The driver would say that the user
 * has.
 */
export function assertConnected(runner: QueryRunner): void {
  if (runner.isReleased) throw Object.assign(new Error('The connection was closed'), { code: 'MYNAH_CLOSED' })
}

/** Replaces the entities of an open data source. Running reads keep the old metadata. */
export async function setEntities(source: DataSource, schemas: readonly EntitySchema[]): Promise<void> {
  source.setOptions({ entities: schemas as EntitySchema[] })
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas()
}
