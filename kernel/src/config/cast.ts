import { joinPath } from './key-path.js'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/**
 * Converts strings that come from variables to the scalar that the schema asks for: `port: ${PORT}` becomes a number.
 *
 * @param touched paths of the strings that come from variables
 */
export function castTouched(section: unknown, schema: object, path: string, touched: ReadonlySet<string>): unknown {
  if (touched.size === 0) return section
  return cast(section, schema as JsonSchema, path, touched)
}

function cast(value: unknown, schema: JsonSchema | undefined, path: string, touched: ReadonlySet<string>): unknown {
  if (!schema) return value
  if (typeof value === 'string') return touched.has(path) ? scalar(value, typesOf(schema)) : value
  if (Array.isArray(value)) {
    const items = typeof schema.items === 'object' ? schema.items : undefined
    return value.map((item, index) => cast(item, items, joinPath(path, index), touched))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      cast(inner, propertyOf(schema, key), joinPath(path, key), touched),
    ]),
  )
}

/** Returns the schema of a key: that of its name, of a matching pattern, or of additional properties. */
function propertyOf(
  { properties, patternProperties, additionalProperties }: JsonSchema,
  key: string,
): JsonSchema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key]
  const matching = Object.entries(patternProperties ?? {}).find(([pattern]) => new RegExp(pattern, 'u').test(key))
  return matching?.[1] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

function typesOf(schema: JsonSchema): Set<string> {
  return new Set([
    ...[schema.type ?? []].flat(),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((branch) => Array.from(typesOf(branch))),
  ])
}

function scalar(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('string')) return text
  if ((types.has('integer') || types.has('number')) && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
    return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
