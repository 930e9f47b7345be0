// Reduces an answer to what its schema declares, so that a field nobody declared never leaves the host.

type Reducer = (value: unknown) => unknown
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
}

const cache = new WeakMap<object, Reducer>()
const same: Reducer = (value) => value
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function matches(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  switch (schema.type) {
    case 'object':
      if (!isObject(value)) return false
      for (const key of schema.required ?? []) if (value[key] === undefined) return false
      for (const [key, inner] of Object.entries(schema.properties ?? {})) {
        if (value[key] !== undefined && ('const' in inner || inner.enum) && !matches(inner, value[key])) return false
      }
      return true
    case 'array': return Array.isArray(value)
    case 'null': return value === null
    case 'integer':
    case 'number': return typeof value === 'number'
    case undefined: return true
    default: return typeof value === schema.type
  }
}

function make(schema: Schema): Reducer {
  if (schema.anyOf) {
    const branches = schema.anyOf.map((branch) => ({ branch, reduce: reducer(branch) }))
    return (value) => branches.find(({ branch }) => matches(branch, value))?.reduce(value)
  }
  if (schema.items) {
    const item = reducer(schema.items)
    return item === same ? same : (value) => (Array.isArray(value) ? value.map(item) : value)
  }
  if (schema.patternProperties) {
    const [inner] = Object.values(schema.patternProperties)
    const reduce = inner ? reducer(inner) : same
    return reduce === same ? same : (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reduce(item)])) : value)
  }
  if (schema.properties && (schema.additionalProperties === undefined || schema.additionalProperties === false)) {
    const fields = Object.entries(schema.properties).map(([key, inner]) => ({ key, reduce: reducer(inner) }))
    return (value) => {
      if (!isObject(value)) return value
      const out: Record<string, unknown> = {}
      for (const { key, reduce } of fields) {
        const field = value[key]
        if (field !== undefined) out[key] = reduce(field)
      }
      return out
    }
  }
  return same
}

/** The function that keeps of a value what `schema` declares; made once per schema object. */
export function reducer(schema: object): Reducer {
  let reduce = cache.get(schema)
  if (!reduce) {
    reduce = make(schema as Schema)
    cache.set(schema, reduce)
  }
  return reduce
}
