import { WireError } from '@mynah/contract'
import type { DataSource, EntityMetadata } from 'typeorm'
import { columnConditions } from './column-where.js'
import { valuesClause } from './values.js'
import type { Term } from './where.js'

type Column = EntityMetadata['columns'][number]

const MAX_PARAMETERS = 30_000
const MAX_ROWS = 500
/** Sets of columns that are remembered for a table. Callers have a few. */
const MAX_SHAPES = 500
/** The columns that a row changes, by the names of its fields. Found once: each change of a message asks for them. */
const columnsByShape = new WeakMap<EntityMetadata, Map<string, readonly Column[]>>()

/** A statement that returns the primary keys of the rows that it changed. */
export interface ChangeStatement {
  readonly sql: string
  readonly parameters: unknown[]
  readonly rows: readonly object[]
}

const valueOf = (row: object, { propertyName }: Column): unknown => (row as Record<string, unknown>)[propertyName]

/**
 * Returns the columns that a row changes, in the order of the table.
 *
 * @throws WireError if a key is missing or a column is unknown
 */
export function changedColumns(metadata: EntityMetadata, row: object): readonly Column[] {
  for (const column of metadata.primaryColumns) {
    if (valueOf(row, column) === undefined || valueOf(row, column) === null)
      throw new WireError(
        'invalid_request',
        `A change of ${metadata.tableName} must name its key "${column.propertyName}"`,
      )
  }
  let known = columnsByShape.get(metadata)
  if (!known || known.size >= MAX_SHAPES) columnsByShape.set(metadata, (known = new Map()))
  const shape = Object.entries(row)
    .map(([name, value]) => (value === undefined ? `${name}?` : name))
    .join(' ')
  let columns = known.get(shape)
  if (!columns) known.set(shape, (columns = findChangedColumns(metadata, row)))
  return columns
}

function findChangedColumns(metadata: EntityMetadata, row: object): readonly Column[] {
  for (const name of Object.keys(row)) {
    if (!metadata.columns.some(({ propertyName }) => propertyName === name))
      throw new WireError('invalid_request', `"${name}" is not a column of ${metadata.tableName}`)
  }
  return metadata.columns.filter((column) => !column.isPrimary && valueOf(row, column) !== undefined)
}

/** Returns statements that update `rows`. All rows must have the same columns and different keys. */
export function changeStatements(
  source: DataSource,
  metadata: EntityMetadata,
  rows: readonly object[],
  when: readonly Term[],
): ChangeStatement[] {
  const [first] = rows
  if (first === undefined) return []
  const { driver } = source
  const quote = (name: string): string => driver.escape(name)
  const changed = changedColumns(metadata, first)
  const keys = metadata.primaryColumns
  const columns = [...keys, ...changed]
  const table = quote(metadata.tableName)
  const from = columns.length
  // A row without changes sets its key to itself, so that the statement reports whether it exists.
  const set = (changed.length ? changed : keys)
    .map((column) => `${quote(column.databaseName)} = v.column${columns.indexOf(column) + 1}`)
    .join(', ')
  const same = keys.map((column, index) => `${table}.${quote(column.databaseName)} = v.column${index + 1}`)
  const returning = keys.map((column) => quote(column.databaseName)).join(', ')
  // PostgreSQL takes the types of a list of values from its first row.
  const typeOf = (column: Column): string =>
    driver.options.type === 'postgres' ? `::${driver.normalizeType(column)}` : ''
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / from)))
  const statements: ChangeStatement[] = []
  for (let start = 0; start < rows.length; start += size) {
    const chunk = rows.slice(start, start + size)
    const values = chunk.map((row) =>
      columns.map((column) => driver.preparePersistentValue(valueOf(row, column), column) as unknown),
    )
    const { sql, parameters } = valuesClause(values, {
      json: driver.options.type === 'sqlite',
      types: columns.map(typeOf),
    })
    const conditions = [...same, ...columnConditions(when, source, metadata, (value) => `$${parameters.push(value)}`)]
    statements.push({
      sql: `UPDATE ${table} SET ${set} FROM (${sql}) AS v WHERE ${conditions.join(' AND ')} RETURNING ${returning}`,
      parameters,
      rows: chunk,
    })
  }
  return statements
}
