import type { Static, TSchema } from 'typebox'
import { isRecord } from './json.js'

interface ExampleSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, ExampleSchema>>
  readonly items?: ExampleSchema
  readonly anyOf?: readonly ExampleSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00.000Z',
  email: 'ann@example.org',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Values of `given` replace those of the example, at any depth of objects. */
export type Given<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Given<T[K]> } : T

/**
 * Makes a value that fits a schema, for tests and documentation: its `example`, `examples`, `default` or constant where
 * it has one, else the simplest value. Objects have all declared fields, and lists as few items as they may.
 *
 * @param given parts that are better known, for example the fields that a test is about
 * @throws RangeError for a string with a pattern and no example
 * @example exampleOf(Trace, { messageId: 'm1', channel: { type: 'private' } })
 */
export function exampleOf<S extends TSchema>(schema: S, given?: Given<Static<S>>): Static<S> {
  return merged(valueFor(schema as ExampleSchema, 'text'), given) as Static<S>
}

/** @param name the name of the field, which a string has as its value */
function valueFor(schema: ExampleSchema, name: string): unknown {
  const declared = declaredExample(schema)
  if (declared !== undefined) return structuredClone(declared)
  const [branch] = schema.anyOf ?? []
  if (branch) return valueFor(branch, name)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, valueFor(field, key)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueFor(schema.items ?? {}, name))
    case 'string':
      return stringFor(schema, name)
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1
    case 'boolean':
      return true
    default:
      return null
  }
}

function declaredExample({ example, examples, enum: choices, default: fallback, ...schema }: ExampleSchema): unknown {
  return example ?? examples?.[0] ?? fallback ?? schema.const ?? choices?.[0]
}

function stringFor({ format, pattern, minLength = 0, maxLength = Infinity }: ExampleSchema, name: string): string {
  const formatted = format === undefined ? undefined : FORMATS[format]
  if (formatted !== undefined) return formatted
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(name))
    throw new RangeError(`give the field "${name}" an example: a string for ${pattern} cannot be guessed`)
  return name.padEnd(minLength, '-').slice(0, maxLength)
}

function merged(value: unknown, given: unknown): unknown {
  if (given === undefined) return value
  if (!isRecord(value) || !isRecord(given)) return given
  const keys = new Set([...Object.keys(value), ...Object.keys(given)])
  return Object.fromEntries(Array.from(keys, (key) => [key, merged(value[key], given[key])]))
}
