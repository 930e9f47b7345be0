import type { DataSource, EntityMetadata } from 'typeorm'
import type { Scalar } from '../api.js'
import type { Term } from './where.js'

const COMPARE = { $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' } as const

/**
 * Returns the terms of a condition as pieces of SQL, to be joined with AND.
 *
 * @param add adds a parameter and returns its placeholder
 */
export function columnConditions(
  terms: readonly Term[],
  { driver }: DataSource,
  metadata: EntityMetadata,
  add: (value: unknown) => string,
): string[] {
  return terms.map(({ column: name, operator, value }) => {
    const column = metadata.columns.find(
      ({ propertyName }) => propertyName === name,
    ) as EntityMetadata['columns'][number]
    const sql = `${driver.escape(metadata.tableName)}.${driver.escape(column.databaseName)}`
    const put = (plain: unknown): string => add(driver.preparePersistentValue(plain, column))
    switch (operator) {
      case '$eq':
        return value === null ? `${sql} IS NULL` : `${sql} = ${put(value)}`
      case '$ne':
        return value === null ? `${sql} IS NOT NULL` : `${sql} <> ${put(value)}`
      case '$in':
        return (value as readonly Scalar[]).length
          ? `${sql} IN (${(value as readonly Scalar[]).map(put).join(', ')})`
          : '1 = 0'
      case '$like':
        return `${sql} ${driver.options.type === 'postgres' ? 'ILIKE' : 'LIKE'} ${add(value)} ESCAPE '\\'`
      default:
        return `${sql} ${COMPARE[operator]} ${put(value)}`
    }
  })
}
