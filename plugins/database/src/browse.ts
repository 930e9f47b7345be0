import { SECRET_MASK, WireError } from '@mynah/contract'
import type { BrowsedTable } from './table-catalog.js'
import type { Column, Entity, Where } from './api.js'
import { deleteDocuments } from './store/documents.js'
import type { Store } from './store/store.js'

type Row = Record<string, unknown>
type RowTable = Exclude<BrowsedTable, { kind: 'keyvalue' }>

export interface Page {
  readonly page: number
  readonly pageSize: number
}

const TEXT = new Set(['text', 'varchar', 'character varying', 'string'])
const INTEGERS = new Set(['integer', 'int', 'bigint', 'smallint', 'number'])
const NUMBERS = new Set(['real', 'float', 'double precision'])
const BOOLEANS = new Set(['boolean'])

function refuse(path: string, message: string): never {
  throw new WireError('invalid_request', `${path} ${message}`, { details: [{ path, message }] })
}

function isValueOfType(type: string, value: unknown): boolean {
  if (TEXT.has(type)) return typeof value === 'string'
  if (INTEGERS.has(type)) return Number.isSafeInteger(value)
  if (NUMBERS.has(type)) return typeof value === 'number'
  return !BOOLEANS.has(type) || typeof value === 'boolean'
}

/** Checks the columns and types of a row, because SQLite stores any value in any column. */
function checkRow(store: Store, entity: Entity, row: Row): Row {
  const columns = store.columns(entity)
  if (Object.keys(row).length === 0) refuse('row', 'has no columns')
  for (const [name, value] of Object.entries(row)) {
    const column = columns.find(({ propertyName }) => propertyName === name)
    if (!column) refuse(`row.${name}`, `is not a column of ${entity.table}`)
    const type = typeof column.type === 'string' ? column.type : String(column.type.name).toLowerCase()
    if (value === null) {
      if (!column.isNullable) refuse(`row.${name}`, 'may not be null')
    } else if (!isValueOfType(type, value)) {
      refuse(`row.${name}`, `must be a value of type ${type}`)
    }
  }
  return row
}

function toJsonValue(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return value instanceof Date ? value.getTime() : value
}

/** Returns a row as JSON: bytes as base64, times as milliseconds, and a mask for secrets. */
function toJson(row: object, { schema }: Entity): Row {
  const columns = schema.columns as Readonly<Record<string, Column>>
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns[name]?.secret && value !== null ? SECRET_MASK : toJsonValue(value),
    ]),
  )
}

/** A condition on a secret would show its value letter by letter. */
function refuseSecrets(where: Where, { schema }: Entity): void {
  const columns = schema.columns as Readonly<Record<string, Column>>
  for (const name of Object.keys(where)) if (columns[name]?.secret) refuse(`where.${name}`, 'is secret')
}

type Order = Readonly<Record<string, 'asc' | 'desc'>>

interface Selection {
  readonly where: Where
  readonly order: Order | undefined
}

/** Checks the columns of an order, and ends it with the primary key: rows with equal values then keep their page. */
function withKey(store: Store, entity: Entity, order: Order): Order {
  const columns = store.columns(entity)
  for (const name of Object.keys(order))
    if (!columns.some(({ propertyName }) => propertyName === name))
      refuse(`order.${name}`, `is not a column of ${entity.table}`)
  const key = columns.filter(({ isPrimary }) => isPrimary).map(({ propertyName }) => [propertyName, 'asc'] as const)
  return { ...order, ...Object.fromEntries(key.filter(([name]) => !Object.hasOwn(order, name))) }
}

/** Returns a page of rows and the number of all matching rows. */
export async function selectRows(
  store: Store,
  table: RowTable,
  { where, order }: Selection,
  { page, pageSize }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const range = { where, limit: pageSize, offset: (page - 1) * pageSize }
  if (table.kind === 'document') {
    if (order) refuse('order', 'is for tables with columns; documents are in the order of their ids')
    const documents = store.documents(table.name, table.store)
    return { rows: await documents.find(range), total: await documents.count(where) }
  }
  refuseSecrets(where, table.entity)
  return store.read(async (db) => ({
    rows: (await db.find(table.entity, order ? { ...range, order: withKey(store, table.entity, order) } : range)).map(
      (row) => toJson(row, table.entity),
    ),
    total: await db.count(table.entity, where),
  }))
}

export async function insertRow(store: Store, table: RowTable, row: Row): Promise<void> {
  if (table.kind === 'related') {
    const checked = checkRow(store, table.entity, row)
    return store.tx((db) => db.insert(table.entity, checked))
  }
  const { id, ...fields } = row
  if (id !== undefined && typeof id !== 'string') refuse('row.id', 'must be a string')
  await store.documents(table.name, table.store).add(fields, id)
}

export async function updateRows(store: Store, table: RowTable, row: Row, where: Where): Promise<number> {
  if (table.kind === 'related') {
    const checked = checkRow(store, table.entity, row)
    return store.tx((db) => db.update(table.entity, where as Where<object>, checked))
  }
  if (Object.keys(row).length === 0) refuse('row', 'has no fields')
  if ('id' in row) refuse('row.id', 'cannot be changed')
  return store.documents(table.name, table.store).update(where, row)
}

export function deleteRows(store: Store, table: RowTable, where: Where): Promise<number> {
  if (table.kind === 'related') return store.tx((db) => db.delete(table.entity, where as Where<object>))
  return deleteDocuments(store, table.name, where)
}
