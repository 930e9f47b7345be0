import type { TableInfo } from '@mynah/contract/types'
import { parseJson } from '../../lib/parse-json.js'

export type Row = Readonly<Record<string, unknown>>
export type Column = NonNullable<TableInfo['columns']>[number]

/** Changes that wait for a table: rows by the text of their key. */
export interface Pending {
  readonly inserts: readonly { readonly id: string; readonly row: Row; readonly error?: string }[]
  readonly updates: Readonly<Record<string, { readonly row: Row; readonly change: Row; readonly error?: string }>>
  readonly deletes: Readonly<Record<string, { readonly row: Row; readonly error?: string }>>
}

export const NOTHING: Pending = { inserts: [], updates: {}, deletes: {} }

/** Returns kept changes, or undefined if the text is none: another version of the console may have written it. */
export function parsePending(text: string | null): Pending | undefined {
  const found = parseJson(text)
  if (!isRecord(found) || !Array.isArray(found['inserts'])) return undefined
  const { inserts, updates, deletes } = found
  const isItem = (item: unknown): boolean => isRecord(item) && isRecord(item['row'])
  const isNewRow = (item: unknown): boolean => isItem(item) && typeof (item as { id?: unknown }).id === 'string'
  const areItems = (items: unknown): items is Record<string, unknown> =>
    isRecord(items) && Object.values(items).every(isItem)
  if (!inserts.every(isNewRow) || !areItems(updates) || !areItems(deletes)) return undefined
  if (!Object.values(updates).every((item) => isRecord((item as { change?: unknown }).change))) return undefined
  return found as unknown as Pending
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const primaries = (columns: readonly Column[]): string[] =>
  columns.filter((column) => column.primary).map((column) => column.name)

/** Returns the key of a row as text, or undefined if the table has none. */
export function keyOf(row: Row, columns: readonly Column[]): string {
  return JSON.stringify(primaries(columns).map((name) => row[name]))
}

/** Returns the condition that selects a row. */
export const whereOf = (row: Row, columns: readonly Column[]): Row =>
  Object.fromEntries(primaries(columns).map((name) => [name, row[name]]))

export const countOf = (pending: Pending): number =>
  pending.inserts.length + Object.keys(pending.updates).length + Object.keys(pending.deletes).length

/** Changes one value of a row. Restoring the original value removes the change. */
export function setCell(pending: Pending, key: string, row: Row, column: string, value: unknown): Pending {
  const { [key]: former, ...others } = pending.updates
  const { [column]: _old, ...kept } = former?.change ?? {}
  const change = Object.is(row[column], value) ? kept : { ...kept, [column]: value }
  return { ...pending, updates: Object.keys(change).length === 0 ? others : { ...others, [key]: { row, change } } }
}

/** Changes one value of a new row. */
export const setNewCell = (pending: Pending, id: string, column: string, value: unknown): Pending => ({
  ...pending,
  inserts: pending.inserts.map((item) => (item.id === id ? { ...item, row: { ...item.row, [column]: value } } : item)),
})

/** Returns whether a cell can be changed: each of a new row, and of others all but the key. */
export const isEditable = (pending: Pending, id: string, column: Column): boolean =>
  pending.inserts.some((item) => item.id === id) || (!column.primary && !Object.hasOwn(pending.deletes, id))

export function markDelete(pending: Pending, key: string, row: Row): Pending {
  const { [key]: _update, ...updates } = pending.updates
  return { ...pending, updates, deletes: { ...pending.deletes, [key]: { row } } }
}

export function undo(pending: Pending, key: string): Pending {
  const { [key]: _update, ...updates } = pending.updates
  const { [key]: _delete, ...deletes } = pending.deletes
  return { updates, deletes, inserts: pending.inserts.filter((item) => item.id !== key) }
}

/** Returns a row with its pending changes. */
export const shownRow = (pending: Pending, key: string, row: Row): Row => ({ ...row, ...pending.updates[key]?.change })

const NUMBER = /int|real|float|double|numeric|decimal|serial/i
export const isNumeric = (column: Column): boolean => NUMBER.test(column.type)
const isJson = (column: Column): boolean => /json/i.test(column.type)

/** Converts the text of a cell to the type of its column. */
export function readCell(text: string, column: Column): unknown {
  // Larger integers would be rounded, so they stay text.
  if (
    isNumeric(column) &&
    /^-?\d+(?:\.\d+)?$/.test(text.trim()) &&
    (!/^-?\d+$/.test(text.trim()) || Number.isSafeInteger(Number(text)))
  )
    return Number(text)
  if (isJson(column)) {
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  if (/^bool/i.test(column.type) && /^(?:true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === 'true'
  return text
}

/** Returns a value as a person edits it. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns a row without empty columns. The host fills in defaults. */
export const toInsert = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

export const operators = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$like', 'null_'] as const
export type Operator = (typeof operators)[number]
export interface Condition {
  readonly column: string
  readonly operator: Operator
  readonly value: string
}

/** Parses the conditions of an address. Invalid ones are dropped. */
export function parseConditions(text: string): Condition[] {
  if (!text) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value)
      ? value
          .filter(
            (item): item is [string, Operator, string] =>
              Array.isArray(item) &&
              typeof item[0] === 'string' &&
              operators.includes(item[1] as Operator) &&
              typeof item[2] === 'string',
          )
          .map(([column, operator, value]) => ({ column, operator, value }))
      : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

export const conditionsText = (conditions: readonly Condition[]): string =>
  conditions.length === 0
    ? ''
    : JSON.stringify(conditions.map(({ column, operator, value }) => [column, operator, value]))

/** Returns the conditions that `db:select` takes. */
export function whereOfConditions(conditions: readonly Condition[], columns: readonly Column[]): Row {
  const where: Record<string, Record<string, unknown> | null> = {}
  for (const { column, operator, value } of conditions) {
    const known = columns.find((item) => item.name === column)
    if (operator === 'null_') where[column] = null
    else where[column] = { ...where[column], [operator]: known ? readCell(value, known) : value }
  }
  return where
}

/** Columns of rows that have no declared ones. */
export const keysOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))]

const CELLS = 360

/** Returns the page size, smaller for tables with many columns. */
export const pageSizeOf = (columns: readonly Column[]): number =>
  Math.max(10, Math.min(50, Math.floor(CELLS / Math.max(1, columns.length))))
