import { currentLocale } from '../../lib/i18n.js'
import { isRecord, type Json } from './model.js'

export type Kind = 'text' | 'number' | 'flag' | 'choice' | 'texts' | 'list' | 'record' | 'group' | 'json'

const alternatives = (schema: Json): Json[] =>
  [
    ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : []),
    ...(Array.isArray(schema['oneOf']) ? schema['oneOf'] : []),
  ].filter(isRecord)

/** Returns whether the type that an alternative declares is the one of `value`. */
function hasTypeOf(item: Json, value: unknown): boolean {
  const type = item['type']
  if (value === undefined) return false
  if (Array.isArray(value)) return type === 'array'
  if (value === null) return type === 'null'
  if (typeof value === 'object') return type === 'object'
  if (typeof value === 'number') return type === 'number' || type === 'integer'
  return type === typeof value || 'const' in item || 'enum' in item
}

/** Returns the alternative that matches the type of a value, else the first. */
export function resolve(schema: Json, value: unknown): Json {
  const all = alternatives(schema)
  if (all.length === 0) return schema
  const fits = (item: Json): boolean => hasTypeOf(item, value)
  const { anyOf: _any, oneOf: _one, ...shared } = schema
  return { ...shared, ...(all.find(fits) ?? all.find((item) => item['type'] !== 'null') ?? all[0]) }
}

export const propertiesOf = (schema: Json): readonly (readonly [string, Json])[] =>
  isRecord(schema['properties'])
    ? Object.entries(schema['properties']).filter((entry): entry is [string, Json] => isRecord(entry[1]))
    : []

/** Returns the schema of a property; an empty one if it is not declared. */
export const propertyOf = (schema: Json, name: string): Json =>
  propertiesOf(schema).find(([known]) => known === name)?.[1] ?? {}

export const itemsOf = (schema: Json): Json => (isRecord(schema['items']) ? schema['items'] : {})

/** Returns the schema of the values of a map. */
export function valuesOf(schema: Json): Json | undefined {
  const { additionalProperties: more, patternProperties: patterns } = schema
  if (isRecord(more)) return more
  return isRecord(patterns) ? Object.values(patterns).find(isRecord) : undefined
}

/** Returns the choices of an enum, or of alternatives that are all constants. */
export function choicesOf(schema: Json): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum']
  if ('const' in schema) return [schema['const']]
  const all = alternatives(schema)
  return all.length > 0 && all.every((item) => 'const' in item) ? all.map((item) => item['const']) : undefined
}

export function kindOf(schema: Json): Kind {
  if (choicesOf(schema) && schema['type'] !== 'boolean') return 'choice'
  switch (schema['type']) {
    case 'boolean':
      return 'flag'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return 'text'
    case 'array':
      if (itemsOf(schema)['type'] === 'object' || propertiesOf(itemsOf(schema)).length > 0) return 'list'
      return kindOf(itemsOf(schema)) === 'text' ? 'texts' : 'json'
    default:
      if (propertiesOf(schema).length > 0) return 'group'
      return valuesOf(schema) ? 'record' : 'json'
  }
}

/** Returns the initial value of a new item. */
export function emptyOf(schema: Json): unknown {
  switch (kindOf(schema)) {
    case 'text':
      return ''
    case 'flag':
      return false
    case 'list':
    case 'texts':
      return []
    case 'choice':
      return choicesOf(schema)?.[0]
    case 'number':
      return schema['default'] ?? schema['minimum'] ?? 0
    default:
      return {}
  }
}

/** Returns the description in a language, else in English. */
export function describe(schema: Json, locale: string = currentLocale()): string {
  const others = schema['descriptions']
  const own = isRecord(others) ? others[locale] : undefined
  if (typeof own === 'string') return own
  return typeof schema['description'] === 'string' ? schema['description'] : ''
}

/** Returns the first sentence of a description, without its full stop. */
export const firstSentence = (text: string): string => text.split(/\.\s+(?=[\p{Lu}`])|。/u)[0] ?? ''

export const isSecret = (schema: Json): boolean => schema['secret'] === true
export const needsRestart = (schema: Json): boolean => schema['restart'] === true
