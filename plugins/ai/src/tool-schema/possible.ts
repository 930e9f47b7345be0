import { join } from './path.js'
import { definitionOf, definitionsOf, schemasAt, type Schema } from './schema.js'
import { UnusableSchema } from './unusable-schema.js'

/** Rounds over the definitions, of which each may make others possible. */
const MAX_ROUNDS = 20
const LIMITS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
}

type Contradiction = readonly [path: string, reason: string]

/**
 * Refuses a schema that no input fits, because it contradicts itself where a value is required.
 *
 * @throws UnusableSchema
 */
export function assertPossible(whole: Schema): void {
  const definitions = [...definitionsOf(whole)].reverse()
  const possible = new Set<string>()
  let found: Contradiction | undefined
  for (let round = 0, before = -1; round < MAX_ROUNDS && before < possible.size; round++) {
    before = possible.size
    for (const [name, schema] of definitions) {
      if (possible.has(name)) continue
      const contradiction = contradictionIn(schema, '', possible)
      if (!contradiction) possible.add(name)
      else if (!name) found = contradiction
    }
  }
  if (found && !possible.has('')) throw new UnusableSchema(...found)
}

/** Returns why no value fits a schema, given the definitions that are known to have one. */
function contradictionIn(
  schema: Schema | boolean,
  path: string,
  possible: ReadonlySet<string>,
): Contradiction | undefined {
  const none: Contradiction = [path, 'allows no value']
  if (typeof schema === 'boolean') return schema ? undefined : none
  const name = definitionOf(schema)
  if (name !== undefined && !possible.has(name)) return none
  return inCombined(schema, path, possible) ?? inOwn(schema, path, possible)
}

/** Returns the contradiction with a schema that has to fit in addition. */
function inCombined(schema: Schema, path: string, possible: ReadonlySet<string>): Contradiction | undefined {
  const none: Contradiction = [path, 'allows no value']
  const { not } = schema
  if (not === true || (typeof not === 'object' && Object.keys(not as object).length === 0)) return none
  const all = schemasAt(schema, 'allOf')
  const any = schemasAt(schema, 'anyOf')
  const isImpossible = any.length > 0 && any.every((inner) => contradictionIn(inner, path, possible))
  return (
    all
      .map((inner, index) => contradictionIn(inner, join(path, `allOf.${index}`), possible))
      .find((contradiction) => contradiction !== undefined) ?? (isImpossible ? none : undefined)
  )
}

/** Returns the contradiction of a schema of a single type. */
function inOwn(schema: Schema, path: string, possible: ReadonlySet<string>): Contradiction | undefined {
  const { type, minItems = 0, prefixItems, items = true } = schema
  const [least, most] = (typeof type === 'string' ? (LIMITS[type] ?? []) : []).map((limit) => schema[limit])
  if (typeof least === 'number' && typeof most === 'number' && least > most) return [path, 'allows no value']
  if (type === 'object') return inRequired(schema, path, possible)
  return type === 'array' && Number(minItems) > 0 && !prefixItems
    ? contradictionIn(items as Schema | boolean, join(path, 'items'), possible)
    : undefined
}

function inRequired(schema: Schema, path: string, possible: ReadonlySet<string>): Contradiction | undefined {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema | boolean>>
  for (const name of (schema['required'] ?? []) as readonly string[]) {
    if (!Object.hasOwn(properties, name)) {
      if (schema['additionalProperties'] !== false || schema['patternProperties']) continue
      return [join(path, 'required'), `has ${JSON.stringify(name)}, which additionalProperties refuses`]
    }
    const found = contradictionIn(properties[name] ?? true, join(path, `properties.${name}`), possible)
    if (found) return found
  }
  return undefined
}
