import type { EntityMetadata } from 'typeorm'

/** Returns for each row whether a statement returned its primary key. A key counts once. */
export function matchReturned(
  metadata: EntityMetadata,
  rows: readonly object[],
  returned: readonly unknown[],
): boolean[] {
  const keyOf = (row: object, name: 'propertyName' | 'databaseName'): string =>
    JSON.stringify(metadata.primaryColumns.map((column) => String((row as Record<string, unknown>)[column[name]])))
  const keys = new Set(returned.map((row) => keyOf(row as object, 'databaseName')))
  return rows.map((row) => keys.delete(keyOf(row, 'propertyName')))
}
