import { omitUndefined } from '@mynah/kernel/util'
import { hasType, typeOf } from './keywords.js'
import type { Schema } from './schema.js'

/** Keywords that an input has to fit in addition to its type. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'not', 'if']

/** Returns a schema whose types, values and `default` do not contradict each other, and which takes `null` if asked. */
export function agreed({ type, ...rest }: Schema, isNullable: boolean): Schema {
  const schema: Record<string, unknown> = { ...rest }
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined)
  const types = typesWith(type as readonly string[] | undefined, values)
  // Such a default says that there is none. It would make each call without the property invalid.
  if (schema['default'] === null && types && !types.includes('null') && !isNullable) delete schema['default']
  if (types?.includes('array') && !('items' in schema) && !('prefixItems' in schema)) schema['items'] = {}
  if (!isNullable) return typed(types, schema)
  if (COMBINING.some((keyword) => keyword in schema)) return withNull(types, schema)
  if (values) schema['enum'] = [...new Set([...values, null])]
  delete schema['const']
  return typed(types && [...new Set([...types, 'null'])], schema)
}

/** Returns the types of the values where these do not fit the type, which is often that of all parameters. */
function typesWith(
  types: readonly string[] | undefined,
  values: readonly unknown[] = [],
): readonly string[] | undefined {
  return types && !values.every((value) => hasType(types, value)) ? [...new Set(values.map(typeOf))] : types
}

/** Returns a schema that takes `null` in addition. The text about it stays outside. */
function withNull(types: readonly string[] | undefined, schema: Schema): Schema {
  const { title, description, default: preset, ...rest } = schema
  const { anyOf, ...others } = rest
  const alternatives = Array.isArray(anyOf) && !types && Object.keys(others).length === 0 ? anyOf : [typed(types, rest)]
  return omitUndefined({ title, description, default: preset, anyOf: [...alternatives, { type: 'null' }] })
}

const typed = (types: readonly string[] | undefined, schema: Schema): Schema =>
  types ? { type: types.length === 1 ? types[0] : types, ...schema } : schema
