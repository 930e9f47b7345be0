// Writes the keywords of older drafts of JSON Schema as draft 2020 has them. Their values are left as they are.
import { isRecord } from '@mynah/contract'
import { booleanOf, mapOf } from './keywords.js'
import { join } from './path.js'
import type { Schema } from './schema.js'

type Entry = readonly [keyword: string, value: unknown]

type Rewriting = (value: unknown, schema: Schema, path: string) => readonly Entry[]

export function asDraft2020(schema: Schema, path: string): Schema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(
      ([keyword, value]): readonly Entry[] => REWRITINGS.get(keyword)?.(value, schema, path) ?? [[keyword, value]],
    ),
  )
}

/** Draft 4 says with a flag whether a limit is exclusive. */
const limit =
  (keyword: string, exclusive: string): Rewriting =>
  (value, schema) => [[booleanOf(schema[exclusive]) ? exclusive : keyword, value]]
const exclusiveLimit =
  (exclusive: string): Rewriting =>
  (value) =>
    booleanOf(value) === undefined ? [[exclusive, value]] : []

/** The keywords with another meaning in an older draft. */
const REWRITINGS: ReadonlyMap<string, Rewriting> = new Map(
  Object.entries<Rewriting>({
    // Within one document both lead where `$ref` does.
    $dynamicRef: (value) => [['$ref', value]],
    $recursiveRef: (value) => [['$ref', value]],
    items: (value) => (Array.isArray(value) ? tuple(value) : [['items', value]]),
    additionalItems: (value, { items }) => (isTuple(items) ? [['items', value]] : []),
    minimum: limit('minimum', 'exclusiveMinimum'),
    maximum: limit('maximum', 'exclusiveMaximum'),
    exclusiveMinimum: exclusiveLimit('exclusiveMinimum'),
    exclusiveMaximum: exclusiveLimit('exclusiveMaximum'),
    dependencies: (value, _schema, path) => dependencies(value, join(path, 'dependencies')),
    // Formats and some patterns are not checked, so that an input may fit two schemas which their author tells apart.
    oneOf: (value, { anyOf }) => (anyOf ? [] : [['anyOf', value]]),
    type: (value, schema) =>
      typeof value === 'string' && value.endsWith('[]') ? listType(value, schema) : [['type', value]],
  }),
)

const tuple = (items: readonly unknown[]): readonly Entry[] => (items.length ? [['prefixItems', items]] : [])
const isTuple = (items: unknown): boolean => Array.isArray(items) && items.length > 0

/** Reads a type such as `string[]`. */
const listType = (type: string, { items }: Schema): readonly Entry[] => [
  ['type', 'array'],
  ...(items ? [] : [['items', { type: type.slice(0, -2) }] as const]),
]

function dependencies(value: unknown, path: string): readonly Entry[] {
  if (value === null) return []
  const all = Object.entries(mapOf(value, path))
  const isSchema = ([, needed]: Entry): boolean => isRecord(needed) || typeof needed === 'boolean'
  const parts: readonly Entry[] = [
    ['dependentSchemas', all.filter(isSchema)],
    ['dependentRequired', all.filter((entry) => !isSchema(entry))],
  ]
  return parts.flatMap(([keyword, entries]): Entry[] =>
    (entries as Entry[]).length ? [[keyword, Object.fromEntries(entries as Entry[])]] : [],
  )
}
