/** An object of JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** Keywords whose schemas an input has to fit in addition to its own. */
export const IN_PLACE = ['allOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const
/** Keywords whose schemas are for a part of an input. */
export const INNER = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'prefixItems',
  'items',
  'unevaluatedItems',
  'contains',
] as const

const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Returns the schemas below a keyword of a read schema. */
export function schemasAt(schema: Schema, keyword: string): readonly (Schema | boolean)[] {
  const value = schema[keyword]
  if (value === undefined) return []
  return (Array.isArray(value) || MAPS.has(keyword) ? Object.values(value as object) : [value]) as (Schema | boolean)[]
}

/** Returns the name of the definition that a schema refers to. */
export const definitionOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.replace(/^#(?:\/\$defs\/)?/, '') : undefined

/** Returns the definitions of a whole schema by name. The whole has the empty name. */
export function definitionsOf(whole: Schema): ReadonlyMap<string, Schema | boolean> {
  return new Map([['', whole], ...Object.entries((whole['$defs'] ?? {}) as Record<string, Schema | boolean>)])
}
