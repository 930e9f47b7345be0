// In conditions on documents `id` is a column, and every other name is a top-level field of the JSON text in `body`.
import type { Dialect, Scalar } from '../api.js'
import type { Term } from './where.js'

/** A piece of SQL with its parameters. */
export interface Fragment {
  readonly sql: string
  readonly parameters: unknown[]
}

const COMPARE = { $eq: '=', $ne: '<>', $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' } as const

class Parameters {
  readonly values: unknown[] = []
  readonly #from: number
  constructor(from: number) {
    this.#from = from
  }
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.#from + this.values.length - 1}`
  }
}

function idCondition({ operator, value }: Term, column: string, parameters: Parameters, dialect: Dialect): string {
  if (operator === '$in')
    return (value as Scalar[]).length
      ? `${column} IN (${(value as Scalar[]).map((choice) => parameters.add(String(choice))).join(', ')})`
      : '1 = 0'
  if (operator === '$like')
    return `${column} ${dialect === 'postgres' ? 'ILIKE' : 'LIKE'} ${parameters.add(value)} ESCAPE '\\'`
  if (value === null) return operator === '$ne' ? '1 = 1' : '1 = 0'
  return `${column} ${COMPARE[operator]} ${parameters.add(String(value))}`
}

const SQLITE_TYPES = { string: "('text')", number: "('integer', 'real')", boolean: "('true', 'false')" } as const

/** Compares values only with values of the same type, so that both dialects agree. */
function sqliteField(term: Term, parameters: Parameters): string {
  if (term.operator === '$in' && (term.value as Scalar[]).length === 0) return '1 = 0'
  const path = parameters.add(`$."${term.column}"`)
  const type = `json_type(body, ${path})`
  const equals = (value: Scalar): string => {
    if (value === null) return `(${type} IS NULL OR ${type} = 'null')`
    const kind = SQLITE_TYPES[typeof value as 'string']
    const operand = parameters.add(typeof value === 'boolean' ? Number(value) : value)
    return `(${type} IN ${kind} AND json_extract(body, ${path}) = ${operand})`
  }
  const { operator, value } = term
  if (operator === '$in') return `(${(value as Scalar[]).map(equals).join(' OR ')})`
  if (operator === '$eq') return equals(value as Scalar)
  if (operator === '$ne') return `NOT coalesce(${equals(value as Scalar)}, 0)`
  if (operator === '$like')
    return `(${type} = 'text' AND json_extract(body, ${path}) LIKE ${parameters.add(value)} ESCAPE '\\')`
  const kind = SQLITE_TYPES[typeof value as 'string']
  return `(${type} IN ${kind} AND json_extract(body, ${path}) ${COMPARE[operator]} ${parameters.add(value)})`
}

function postgresField(term: Term, parameters: Parameters): string {
  if (term.operator === '$in' && (term.value as Scalar[]).length === 0) return '1 = 0'
  const name = parameters.add(term.column)
  const field = `(body::jsonb -> ${name}::text)`
  const text = `(body::jsonb ->> ${name}::text)`
  const equals = (value: Scalar): string =>
    value === null ? `(${text} IS NULL)` : `coalesce(${field} = ${parameters.add(JSON.stringify(value))}::jsonb, false)`
  const { operator, value } = term
  if (operator === '$in') return `(${(value as Scalar[]).map(equals).join(' OR ')})`
  if (operator === '$eq') return equals(value as Scalar)
  if (operator === '$ne') return `NOT ${equals(value as Scalar)}`
  if (operator === '$like')
    return `(jsonb_typeof(${field}) = 'string' AND ${text} ILIKE ${parameters.add(value)} ESCAPE '\\')`
  if (typeof value === 'string')
    return `(jsonb_typeof(${field}) = 'string' AND ${text} COLLATE "C" ${COMPARE[operator]} ${parameters.add(value)})`
  const operand = parameters.add(JSON.stringify(value))
  return `(jsonb_typeof(${field}) = 'number' AND ${field} ${COMPARE[operator]} ${operand}::jsonb)`
}

/** Returns a condition as SQL. Its parameters are numbered from `from`. */
export function documentCondition(terms: readonly Term[], dialect: Dialect, from: number): Fragment {
  const parameters = new Parameters(from)
  const parts = terms.map((term) => {
    if (term.column === 'id') return idCondition(term, 'id', parameters, dialect)
    return dialect === 'sqlite' ? sqliteField(term, parameters) : postgresField(term, parameters)
  })
  return { sql: parts.map((part) => ` AND ${part}`).join(''), parameters: parameters.values }
}

/** Returns whether a name can be used in a condition. Quotes and backslashes would end the JSON path. */
export function isField(name: string): boolean {
  return name.length > 0 && name.length <= 128 && !/["\\\u0000-\u001f]/.test(name)
}
