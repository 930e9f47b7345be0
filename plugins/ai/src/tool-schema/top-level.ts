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
  const { properties, required } = new Flattening(definitionsOf(whole)).partsOf(whole)
  return { ...rest, properties, ...(required.length ? { required } : {}) }
}

class Flattening {
  readonly #definitions: ReadonlyMap<string, Schema | boolean>
  /** By definition, since many alternatives may refer to one. */
  readonly #known = new Map<string, Parts>()

  constructor(definitions: ReadonlyMap<string, Schema | boolean>) {
    this.#definitions = definitions
  }

  partsOf(schema: Schema | boolean): Parts {
    if (typeof schema === 'boolean') return { properties: {}, required: [] }
    const name = definitionOf(schema)
    const referred = name === undefined ? [] : [this.#ofDefinition(name)]
    // A schema that is nothing but a reference has the same parts for each.
    if (referred[0] && Object.keys(schema).length === 1) return referred[0]
    const all = [...referred, ...this.#unique(schema, 'allOf')]
    return combined(schema, all, this.#unique(schema, 'anyOf'))
  }

  #unique(schema: Schema, keyword: string): readonly Parts[] {
    return [...new Set(schemasAt(schema, keyword).map((inner) => this.partsOf(inner)))]
  }

  #ofDefinition(name: string): Parts {
    const parts = this.#known.get(name) ?? this.partsOf(this.#definitions.get(name) ?? true)
    this.#known.set(name, parts)
    return parts
  }
}

function combined(schema: Schema, all: readonly Parts[], any: readonly Parts[]): Parts {
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
