// Inserts many rows in one statement, which is much faster than the entity persistence of the ORM.
import { WireError } from '@mynah/contract'
import type { EntityMetadata, DataSource } from 'typeorm'
import { valuesClause } from './values.js'

type ColumnMetadata = EntityMetadata['columns'][number]

/** Both systems limit the parameters of a statement, SQLite to 32,766. */
const MAX_PARAMETERS = 30_000
const MAX_ROWS = 500

/** Returns whether one statement can insert so many rows with any columns. */
export function fitsOneStatement(metadata: EntityMetadata, rows: number): boolean {
  return rows <= MAX_ROWS && rows * metadata.columns.length <= MAX_PARAMETERS
}

export interface InsertStatement {
  readonly sql: string
  readonly parameters: unknown[]
  readonly rows: readonly object[]
}

/** Handling of rows whose key exists. */
export type OnConflict = 'fail' | 'skip' | { readonly keys: readonly string[] }

function defaultOf(column: ColumnMetadata): unknown {
  return typeof column.default === 'string' || typeof column.default === 'number' || typeof column.default === 'boolean'
    ? column.default
    : null
}

function columnsOf(metadata: EntityMetadata, rows: readonly object[]): ColumnMetadata[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = metadata.columns.filter(
    (column) =>
      names.has(column.propertyName) &&
      rows.some((row) => (row as Record<string, unknown>)[column.propertyName] !== undefined),
  )
  for (const name of names) {
    if (!metadata.columns.some((column) => column.propertyName === name))
      throw new WireError('invalid_request', `"${name}" is not a column of ${metadata.tableName}`)
  }
  return columns
}

function conflictClause(
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  conflict: OnConflict,
  quote: (name: string) => string,
): string {
  if (conflict === 'fail') return ''
  if (conflict !== 'skip') return upsertClause(metadata, columns, conflict.keys, quote)
  const keys = metadata.primaryColumns.map((column) => quote(column.databaseName)).join(', ')
  return ` ON CONFLICT DO NOTHING RETURNING ${keys}`
}

/** Returns statements that insert `rows`. With `skip` they return the primary keys of the inserted rows. */
export function insertStatements(
  source: DataSource,
  metadata: EntityMetadata,
  rows: readonly object[],
  conflict: OnConflict,
): InsertStatement[] {
  if (rows.length === 0) return []
  const { driver } = source
  const columns = columnsOf(metadata, rows)
  if (columns.length === 0) throw new WireError('invalid_request', `A row of ${metadata.tableName} has no values`)
  const quote = (name: string): string => driver.escape(name)
  const names = columns.map((column) => quote(column.databaseName)).join(', ')
  const head = `INSERT INTO ${quote(metadata.tableName)} (${names}) `
  const tail = conflictClause(metadata, columns, conflict, quote)
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / columns.length)))
  const statements: InsertStatement[] = []
  for (let start = 0; start < rows.length; start += size) {
    const chunk = rows.slice(start, start + size)
    const values = chunk.map((row) =>
      columns.map((column) => {
        const value = (row as Record<string, unknown>)[column.propertyName]
        return driver.preparePersistentValue(value === undefined ? defaultOf(column) : value, column) as unknown
      }),
    )
    const { sql, parameters } = valuesClause(values, { json: driver.options.type === 'sqlite' })
    statements.push({ sql: head + sql + tail, parameters, rows: chunk })
  }
  return statements
}

function upsertClause(
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  keys: readonly string[],
  quote: (name: string) => string,
): string {
  const targets = keys.map((key) => {
    const column = metadata.columns.find(({ propertyName }) => propertyName === key)
    if (!column) throw new WireError('invalid_request', `"${key}" is not a column of ${metadata.tableName}`)
    return quote(column.databaseName)
  })
  const changes = columns
    .filter(({ propertyName }) => !keys.includes(propertyName))
    .map(({ databaseName }) => `${quote(databaseName)} = excluded.${quote(databaseName)}`)
  return ` ON CONFLICT (${targets.join(', ')}) DO ${changes.length ? `UPDATE SET ${changes.join(', ')}` : 'NOTHING'}`
}
