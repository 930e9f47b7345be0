import fc from 'fast-check'

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** Words that mean something to some host, file system or language. */
const loaded = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '.env',
  'null',
  "'; DROP TABLE log; --",
  '${HTTP_TOKEN}',
  '\u0000',
  '\ud83d\ude00',
  '\u202e',
  '%00',
  '{{7*7}}',
  '<script>',
  '*',
  '-1',
  'sandbox',
  'alice',
  'log',
  'notes',
)

function stringOf({ minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  const words = fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 64)), unit: 'binary' })
  return fc.oneof(
    words,
    loaded.filter(({ length }) => length >= minLength && length <= maxLength),
  )
}

const integerOf = ({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): fc.Arbitrary<number> =>
  fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) })

const numberOf = ({ minimum, exclusiveMinimum, maximum = 1e9 }: Schema): fc.Arbitrary<number> =>
  fc.double({
    min: minimum ?? exclusiveMinimum ?? -1e9,
    minExcluded: exclusiveMinimum !== undefined,
    max: maximum,
    noNaN: true,
  })

function objectOf({ properties, required = [], patternProperties = {} }: Schema): fc.Arbitrary<unknown> {
  if (!properties)
    return fc.dictionary(
      fc.oneof(fc.string({ maxLength: 8 }), loaded),
      arbitraryOf(Object.values(patternProperties)[0] ?? {}),
      { maxKeys: 4, noNullPrototype: true },
    )
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, arbitraryOf(inner)])), {
    requiredKeys: [...required] as never,
  })
}

/** Generates values that match a schema. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryOf))
  switch (schema.type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object':
      return objectOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Values of the wrong kind. */
export const anything = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e30, '', 'x', 'x'.repeat(5_000_000), [], {}, [null], { type: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
  loaded,
)
