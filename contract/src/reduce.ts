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
const keepAll: Reducer = (value) => value

/** Returns whether a value fits a branch by its outline: type, required fields and constants. */
function matches(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => matches(branch, value))
  if ('const' in schema) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  switch (schema.type) {
    case 'object':
      return isRecord(value) && matchesOutline(schema, value)
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

function matchesOutline({ required = [], properties = {} }: Schema, value: Record<string, unknown>): boolean {
  for (const key of required) if (value[key] === undefined) return false
  for (const [key, inner] of Object.entries(properties)) {
    const isConstant = 'const' in inner || inner.enum
    if (isConstant && value[key] !== undefined && !matches(inner, value[key])) return false
  }
  return true
}

/** Returns whether a value fits a branch at all levels, to choose between branches with the same outline. */
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

/** Returns the branch that a value fits by its outline: of several, the first that it fits at all levels. */
function branchOf<B extends { readonly branch: Schema }>(branches: readonly B[], value: unknown): B | undefined {
  const outlined = branches.filter(({ branch }) => matches(branch, value))
  return outlined.length > 1
    ? (outlined.find(({ branch }) => matchesDeeply(branch, value)) ?? outlined[0])
    : outlined[0]
}

function createReducer(schema: Schema): Reducer {
  if (schema.anyOf) {
    const branches = schema.anyOf.map((branch) => ({ branch, reduce: reducer(branch) }))
    return (value) => branchOf(branches, value)?.reduce(value)
  }
  if (schema.items) {
    const item = reducer(schema.items)
    return item === keepAll ? keepAll : (value) => (Array.isArray(value) ? value.map(item) : value)
  }
  if (schema.patternProperties) {
    const [inner] = Object.values(schema.patternProperties)
    const reduce = inner ? reducer(inner) : keepAll
    return reduce === keepAll
      ? keepAll
      : (value) =>
          isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reduce(item)])) : value
  }
  const { properties = {}, additionalProperties = false } = schema
  if (schema.properties || typeof additionalProperties === 'object') {
    const fields = Object.entries(properties).map(([key, inner]) => ({ key, reduce: reducer(inner) }))
    const others = reducerOfOthers(additionalProperties)
    if (others === keepAll && fields.every(({ reduce }) => reduce === keepAll)) return keepAll
    return (value) => {
      if (!isRecord(value)) return value
      // From entries, so that the key `__proto__` does not set a prototype.
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
  return keepAll
}

function reducerOfOthers(additionalProperties: boolean | Schema): Reducer | undefined {
  if (typeof additionalProperties === 'object') return reducer(additionalProperties)
  return additionalProperties ? keepAll : undefined
}

/**
 * Returns a function that drops everything that `schema` does not declare, so that an undeclared field never leaves the
 * host. Created once for each schema object.
 */
export function reducer(schema: object): Reducer {
  let reduce = cache.get(schema)
  if (!reduce) {
    reduce = createReducer(schema as Schema)
    cache.set(schema, reduce)
  }
  return reduce
}
