// Questions that a schema asks, and values from what people type.
import { isRecord } from '@mynah/contract'

export type Json = Readonly<Record<string, unknown>>

/** One field of a new item. */
export interface Field {
  readonly name: string
  readonly about: string
  readonly required: boolean
  readonly secret: boolean
  /** The default of the schema, or the first example. */
  readonly hint?: string
  readonly schema: Json
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the fields of a schema: those that a new item is asked for, or all. */
export function fieldsOf(schema: Json, { all = false, hidden = [] as readonly string[] } = {}): Field[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  return properties
    .filter((entry): entry is [string, Json] => isRecord(entry[1]) && !hidden.includes(entry[0]))
    .filter(([name, own]) => all || required.includes(name) || own['basic'] === true)
    .map(([name, own]) => ({
      name,
      about: typeof own['description'] === 'string' ? own['description'] : '',
      required: required.includes(name),
      secret: own['secret'] === true,
      ...(own['default'] === undefined || isEmpty(own['default']) ? {} : { hint: text(own['default']) }),
      schema: own,
    }))
    .sort((a, b) => Number(b.required) - Number(a.required))
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Returns the value that a text stands for in a field: a number, true or false, or a list with commas. A text that does
 * not fit stays as it is, so that the host names the mistake.
 */
export function valueOf(typed: string, schema: Json): unknown {
  const types = typesOf(schema)
  if (types.includes('boolean') && /^(true|false)$/.test(typed)) return typed === 'true'
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(typed)) return Number(typed)
  if (types.includes('string') || !types.includes('array')) return typed
  return typed
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function typesOf(schema: Json): unknown[] {
  const branches = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  return [schema['type'], ...branches.filter(isRecord).flatMap(typesOf)]
}

/** Returns the schema of one provider in that of the section `ai`. */
export function providerSchemaOf(ai: unknown): Json | undefined {
  const providers = isRecord(ai) && isRecord(ai['properties']) ? ai['properties']['providers'] : undefined
  if (!isRecord(providers)) return undefined
  const { additionalProperties: more, patternProperties: patterns } = providers
  return isRecord(more) ? more : Object.values(isRecord(patterns) ? patterns : {}).find(isRecord)
}
