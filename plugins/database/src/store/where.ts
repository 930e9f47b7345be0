import { WireError } from '@mynah/contract'
import type { FindOperator, FindOptionsWhere } from 'typeorm'
import { And, Equal, ILike, In, IsNull, LessThan, LessThanOrEqual, MoreThan, MoreThanOrEqual, Not, Raw } from 'typeorm'
import type { Dialect, Scalar } from '../api.js'

const OPERATORS = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$like'] as const
type Operator = (typeof OPERATORS)[number]

/** One comparison of a condition. */
export interface Term {
  readonly column: string
  readonly operator: Operator
  readonly value: Scalar | readonly Scalar[]
}

const MAX_TERMS = 64
const MAX_CHOICES = 1_000

function refuse(path: string, message: string): never {
  throw new WireError('invalid_request', `${path} ${message}`, { details: [{ path, message }] })
}

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

function checkOperand(path: string, operator: Operator, value: unknown): void {
  if (operator === '$in') {
    if (!Array.isArray(value) || value.length > MAX_CHOICES || !value.every(isScalar))
      refuse(path, `must be a list of at most ${MAX_CHOICES} plain values`)
  } else if (operator === '$like') {
    if (typeof value !== 'string') refuse(path, 'must be a string')
  } else if (operator === '$eq' || operator === '$ne') {
    if (!isScalar(value)) refuse(path, 'must be a string, number, boolean or null')
  } else if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
    refuse(path, 'must be a string or number')
}

/**
 * Parses and checks a condition. Columns must satisfy `known`. Undefined values are rejected, because they would match
 * every row.
 */
export function parseTerms(where: unknown, known: (column: string) => boolean): Term[] {
  if (typeof where !== 'object' || where === null || Array.isArray(where))
    refuse('where', 'must be an object of column to value')
  const terms: Term[] = []
  for (const [column, wanted] of Object.entries(where)) {
    const path = `where.${column}`
    if (!known(column)) refuse(path, 'is not a column here')
    if (isScalar(wanted)) {
      terms.push({ column, operator: '$eq', value: wanted })
      continue
    }
    if (typeof wanted !== 'object' || Array.isArray(wanted))
      refuse(path, 'must be a plain value or an object of operators')
    const comparisons = Object.entries(wanted as object)
    if (comparisons.length === 0) refuse(path, `must name an operator: ${OPERATORS.join(', ')}`)
    for (const [operator, value] of comparisons) {
      if (!(OPERATORS as readonly string[]).includes(operator))
        refuse(`${path}.${operator}`, `is not an operator; known are ${OPERATORS.join(', ')}`)
      checkOperand(`${path}.${operator}`, operator as Operator, value)
      terms.push({ column, operator: operator as Operator, value: value as Term['value'] })
    }
  }
  if (terms.length > MAX_TERMS) refuse('where', `has more than ${MAX_TERMS} comparisons`)
  return terms
}

/** Rejects a condition that would match every row. */
export function assertNotEmpty(terms: readonly Term[]): void {
  if (terms.length === 0) refuse('where', 'may not be empty')
}

function findOperator({ operator, value }: Term): FindOperator<unknown> {
  switch (operator) {
    case '$eq':
      return value === null ? IsNull() : Equal(value)
    case '$ne':
      return value === null ? Not(IsNull()) : Not(Equal(value))
    case '$lt':
      return LessThan(value)
    case '$lte':
      return LessThanOrEqual(value)
    case '$gt':
      return MoreThan(value)
    case '$gte':
      return MoreThanOrEqual(value)
    case '$in':
      return In(value as readonly Scalar[])
    case '$like':
      return ILike(value)
  }
}

const WORD = /^[a-z_-]{1,32}$/

/** Returns a simple value as an SQL literal, or `undefined`. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return WORD.test(value) ? `'${value}'` : undefined
  return Number.isSafeInteger(value) ? String(value) : undefined
}

/**
 * Writes simple values as literals, because SQLite uses a partial index only if the statement itself names the value.
 */
function rawLiteral({ operator, value }: Term): FindOperator<unknown> | undefined {
  if (operator !== '$eq' && operator !== '$in') return undefined
  const literals = (operator === '$eq' ? [value] : (value as readonly Scalar[])).map(literalOf)
  if (literals.length === 0 || literals.includes(undefined)) return undefined
  return Raw((column) => (operator === '$eq' ? `${column} = ${literals[0]}` : `${column} IN (${literals.join(', ')})`))
}

/** Converts a condition into options for the ORM. */
export function toFindOptions(terms: readonly Term[], dialect: Dialect): FindOptionsWhere<object> {
  const byColumn = new Map<string, Term[]>()
  for (const term of terms) byColumn.set(term.column, [...(byColumn.get(term.column) ?? []), term])
  return Object.fromEntries(
    Array.from(byColumn, ([column, [first, ...others]]) => {
      const only = first as Term
      if (others.length) return [column, And(...[only, ...others].map(findOperator))]
      return [column, (dialect === 'sqlite' ? rawLiteral(only) : undefined) ?? findOperator(only)]
    }),
  ) as FindOptionsWhere<object>
}
