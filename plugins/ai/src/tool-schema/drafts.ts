// Writes the keywords of older drafts of JSON Schema as draft 2020 has them. Their values are left as they are.
import { isRecord } from '@mynah/contract'
import { booleanOf, mapOf } from './keywords.js'
import { join } from './path.js'
import type { Schema } from './schema.js'

type Entry = readonly [keyword: string, value: unknown]

export function asDraft2020(schema: Schema, path: string): Schema {
  return Object.fromEntries(Object.entries(schema).flatMap((entry) => current(entry, schema, path)))
}

function current([keyword, value]: Entry, schema: Schema, path: string): readonly Entry[] {
  switch (keyword) {
    case '$dynamicRef':
    case '$recursiveRef':
      // Within one document they lead where `$ref` does.
      return [['$ref', value]]
    case 'items':
      if (!Array.isArray(value)) return [[keyword, value]]
      return value.length ? [['prefixItems', value]] : []
    case 'additionalItems':
      return Array.isArray(schema['items']) && schema['items'].length ? [['items', value]] : []
    case 'dependencies':
      return dependencies(value, path)
    case 'minimum':
      return booleanOf(schema['exclusiveMinimum']) ? [['exclusiveMinimum', value]] : [[keyword, value]]
    case 'maximum':
      return booleanOf(schema['exclusiveMaximum']) ? [['exclusiveMaximum', value]] : [[keyword, value]]
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return booleanOf(value) === undefined ? [[keyword, value]] : []
    case 'oneOf':
      // Formats and some patterns are not checked, so that an input may fit two schemas which their author tells apart.
      return schema['anyOf'] ? [] : [['anyOf', value]]
    case 'type':
      return typeof value === 'string' && value.endsWith('[]') ? listType(value, schema) : [[keyword, value]]
    default:
      return [[keyword, value]]
  }
}

/** Reads a type such as `string[]`. */
const listType = (type: string, { items }: Schema): readonly Entry[] => [
  ['type', 'array'],
  ...(items ? [] : [['items', { type: type.slice(0, -2) }] as const]),
]

function dependencies(value: unknown, path: string): readonly Entry[] {
  if (value === null) return []
  const all = Object.entries(mapOf(value, join(path, 'dependencies')))
  const isSchema = ([, needed]: Entry): boolean => isRecord(needed) || typeof needed === 'boolean'
  const parts: readonly Entry[] = [
    ['dependentSchemas', all.filter(isSchema)],
    ['dependentRequired', all.filter((entry) => !isSchema(entry))],
  ]
  return parts.flatMap(([keyword, entries]): Entry[] =>
    (entries as Entry[]).length ? [[keyword, Object.fromEntries(entries as Entry[])]] : [],
  )
}
