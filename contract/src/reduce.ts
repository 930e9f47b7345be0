// Reduces an answer to what its schema declares, so that a field nobody declared never leaves the host.
import { isRecord } from './json.js'

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

/** Whether a value is of a branch, told by its outline: type, required fields and constants. */
function matches(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => matches(branch, value))
  if ('const' in schema) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  switch (schema.type) {
    case 'object':
      if (!isRecord(value)) return false
      for (const key of schema.required ?? []) if (value[key] === undefined) return false
      for (const [key, inner] of Object.entries(schema.properties ?? {})) {
        if (value[key] !== undefined && ('const' in inner || inner.enum) && !matches(inner, value[key])) return false
      }
      return true
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case undefined:
      return true
    default:
      return Array.isArray(schema.type)
        ? schema.type.some((type) => matches({ type }, value))
        : typeof value === schema.type
  }
}

/** Whether a value is of a branch all the way down, for branches of one outline. */
function matchesDeeply(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => matchesDeeply(branch, value))
  if (!matches(schema, value)) return false
  const { items, properties } = schema
  if (Array.isArray(value)) return !items || value.every((item) => matchesDeeply(items, item))
  if (!isRecord(value)) return schema.type !== 'integer' || Number.isInteger(value)
  return Object.entries(value).every(([key, field]) => {
    if (field === undefined) return true
    const inner =
      properties && Object.hasOwn(properties, key)
        ? properties[key]
        : (Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties)
    return typeof inner === 'object' ? matchesDeeply(inner, field) : inner !== false
  })
}

/** The branch that a value is of; of several with its outline the first that it is of all the way down. */
function branchOf<B extends { readonly branch: Schema }>(branches: readonly B[], value: unknown): B | undefined {
  const outlined = branches.filter(({ branch }) => matches(branch, value))
  return outlined.length > 1
    ? (outlined.find(({ branch }) => matchesDeeply(branch, value)) ?? outlined[0])
    : outlined[0]
}

function make(schema: Schema): Reducer {
  if (schema.anyOf) {
    const branches = schema.anyOf.map((branch) => ({ branch, reduce: reducer(branch) }))
    return (value) => branchOf(branches, value)?.reduce(value)
  }
  if (schema.items) {
    const item = reducer(schema.items)
    return item === same ? same : (value) => (Array.isArray(value) ? value.map(item) : value)
  }
  if (schema.patternProperties) {
    const [inner] = Object.values(schema.patternProperties)
    const reduce = inner ? reducer(inner) : same
    return reduce === same
      ? same
      : (value) =>
          isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reduce(item)])) : value
  }
  const { properties = {}, additionalProperties = false } = schema
  if (schema.properties || typeof additionalProperties === 'object') {
    const fields = Object.entries(properties).map(([key, inner]) => ({ key, reduce: reducer(inner) }))
    const others =
      additionalProperties === false ? undefined : additionalProperties === true ? same : reducer(additionalProperties)
    if (others === same && fields.every(({ reduce }) => reduce === same)) return same
    return (value) => {
      if (!isRecord(value)) return value
      // Entries, so that no key of the value becomes a prototype.
      const out: Record<string, unknown> = others
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([key, field]) => field !== undefined && !Object.hasOwn(properties, key))
              .map(([key, field]) => [key, others(field)]),
          )
        : {}
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
