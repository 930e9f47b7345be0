import { SECRET_MASK } from '@mynah/contract/wire'
import { isRecord, type Json } from '../config/model.js'
import { isSecret, kindOf, propertiesOf } from '../config/schema.js'

type Fields = readonly (readonly [string, Json])[]

export interface FieldChoice {
  /** Values at the beginning. A field that has one is not asked for. */
  readonly initial: Json
  /** Fields that are not shown. */
  readonly hidden?: readonly string[]
  /** The fields to ask for, in this order; default those that are required or marked in the schema. */
  readonly asked?: readonly string[]
}

/** Splits the fields of a schema into those that a new item is asked for and the others. */
export function fieldsOf(
  schema: Json,
  { initial, hidden = [], asked }: FieldChoice,
): { readonly basic: Fields; readonly more: Fields } {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const shown = propertiesOf(schema).filter(([name, inner]) => !hidden.includes(name) && inner['deprecated'] !== true)
  const isBasic = ([name, inner]: Fields[number]): boolean =>
    asked ? asked.includes(name) : !(name in initial) && (required.includes(name) || inner['basic'] === true)
  // Required fields come first, in the order of the schema.
  const rank = (name: string): number => (asked ? asked.indexOf(name) : Number(!required.includes(name)))
  const basic = shown.filter(isBasic).sort(([a], [b]) => rank(a) - rank(b))
  return { basic, more: shown.filter((field) => !isBasic(field)) }
}

/** Returns the values at the beginning, with an empty line in each list of texts that is asked for. */
export function withEmptyLines(schema: Json, choice: FieldChoice): Json {
  const lists = fieldsOf(schema, choice).basic.filter(([, inner]) => kindOf(inner) === 'texts')
  return { ...choice.initial, ...Object.fromEntries(lists.map(([name]) => [name, ['']])) }
}

/** Returns a value without the lines that were left empty, and without lists of such lines only. */
export const withoutEmptyLines = (value: Json): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (!Array.isArray(inner)) return [[key, inner]]
      const kept = (inner as unknown[]).filter((item) => item !== '')
      return kept.length > 0 || inner.length === 0 ? [[key, kept]] : []
    }),
  )

/** Returns a value with its secrets masked, to be shown. */
export function masked(schema: Json, value: Json): Json {
  const known = new Map(propertiesOf(schema))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const own = known.get(key) ?? {}
      if (isSecret(own) && typeof inner === 'string' && !inner.startsWith('${')) return [key, SECRET_MASK]
      return [key, isRecord(inner) ? masked(own, inner) : inner]
    }),
  )
}

/** Returns the paths of all secrets of a schema. */
export function secretPathsOf(schema: Json): string[][] {
  return propertiesOf(schema).flatMap(([key, inner]) =>
    isSecret(inner) ? [[key]] : secretPathsOf(inner).map((path) => [key, ...path]),
  )
}

/** Returns whether a value has a secret that is no reference to a variable. */
export function hasSecret(schema: Json, value: Json): boolean {
  return propertiesOf(schema).some(([key, inner]) => {
    const own = value[key]
    if (isSecret(inner)) return typeof own === 'string' && own !== '' && !own.includes('${')
    return isRecord(own) && hasSecret(inner, own)
  })
}
