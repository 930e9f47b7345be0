// What a statement says of the rows it was given.
import type { EntityMetadata } from 'typeorm'

/** Of each row, whether its primary key is among those that the statement returned; a key counts once. */
export function returnedOf(metadata: EntityMetadata, rows: readonly object[], returned: readonly unknown[]): boolean[] {
  const keyOf = (row: object, name: 'propertyName' | 'databaseName'): string =>
    JSON.stringify(metadata.primaryColumns.map((column) => String((row as Record<string, unknown>)[column[name]])))
  const keys = new Set(returned.map((row) => keyOf(row as object, 'databaseName')))
  return rows.map((row) => keys.delete(keyOf(row, 'propertyName')))
}
