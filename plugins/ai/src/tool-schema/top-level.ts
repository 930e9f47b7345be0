import { definitionOf, definitionsOf, schemasAt, type Schema } from './schema.js'

type Properties = Readonly<Record<string, Schema | boolean>>
/** The parts of an object that its alternatives and additions are merged into. */
interface Parts {
  readonly properties: Properties
  readonly required: readonly string[]
}

/**
 * Returns a schema without alternatives at its top, which providers refuse together with all other tools. Properties of
 * all alternatives are optional unless each requires them. The tool checks the rest.
 */
export function flattenTopLevel(whole: Schema): Schema {
  const { allOf: _, anyOf: __, not: ___, enum: ____, const: _____, ...rest } = whole
  if (Object.keys(rest).length === Object.keys(whole).length) return whole
  const definitions = definitionsOf(whole)
  const { properties, required } = partsOf(whole, definitions)
  return { ...rest, properties, ...(required.length ? { required } : {}) }
}

function partsOf(schema: Schema | boolean, definitions: ReadonlyMap<string, Schema | boolean>): Parts {
  if (typeof schema === 'boolean') return { properties: {}, required: [] }
  const name = definitionOf(schema)
  const referred = name === undefined ? [] : [definitions.get(name) ?? true]
  const all = [...referred, ...schemasAt(schema, 'allOf')].map((inner) => partsOf(inner, definitions))
  const any = schemasAt(schema, 'anyOf').map((inner) => partsOf(inner, definitions))
  const own = (schema['properties'] ?? {}) as Properties
  const inEach = (any[0]?.required ?? []).filter((each) => any.every(({ required }) => required.includes(each)))
  const required = [(schema['required'] ?? []) as readonly string[], ...all.map((parts) => parts.required), inEach]
  return {
    // A property at the top says what holds for it in all alternatives.
    properties: { ...alternatives(any), ...Object.assign({}, ...all.map(({ properties }) => properties)), ...own },
    required: [...new Set(required.flat())],
  }
}

/** Returns the properties of all alternatives. One that they describe differently may be as any of them says. */
function alternatives(parts: readonly Parts[]): Properties {
  const described = new Map<string, Map<string, Schema | boolean>>()
  for (const { properties } of parts)
    for (const [name, schema] of Object.entries(properties)) {
      const known = described.get(name) ?? new Map<string, Schema | boolean>()
      described.set(name, known.set(JSON.stringify(schema), schema))
    }
  return Object.fromEntries(
    Array.from(described, ([name, schemas]) => {
      const [first = true] = schemas.values()
      return [name, schemas.size > 1 ? { anyOf: [...schemas.values()] } : first]
    }),
  )
}
