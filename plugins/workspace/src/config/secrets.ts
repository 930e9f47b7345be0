import { isRecord, SECRET_MASK, WireError } from '@mynah/contract'
import { valueAt } from './values.js'

interface Schema {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** Schemas by claimed path. */
export type SchemasByPath = ReadonlyMap<string, Schema>

const SECRET_KEY = /^(?:.*[a-z_-])?(?:token|api[_-]?key|password|secret)$/i
// A default may hold the secret itself, so only a bare reference is shown.
const REFERENCE = /^\$\{[A-Za-z_]\w*\}$/

function below(schema: Schema | undefined, key: string | number): Schema | undefined {
  if (!schema) return undefined
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const own = typeof key === 'number' ? schema.items : propertyOf(schema, key)
  return own ?? branches.map((branch) => below(branch, key)).find(Boolean)
}

function propertyOf({ properties, patternProperties, additionalProperties }: Schema, key: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key]
  return (
    Object.values(patternProperties ?? {})[0] ??
    (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  )
}

/** Returns whether a value is secret by its schema or by its key. Items of a list are judged by the key of the list. */
function isSecret(schema: Schema | undefined, key: string | undefined, value: string | number): boolean {
  if (value === '' || REFERENCE.test(String(value))) return false
  return schema?.secret === true || (key !== undefined && SECRET_KEY.test(key))
}

/** Calls `visit` with the path of every secret scalar of `value`. */
export function eachSecret(
  value: unknown,
  schemas: SchemasByPath,
  visit: (path: readonly (string | number)[]) => void,
): void {
  const walk = (
    current: unknown,
    path: readonly (string | number)[],
    schema: Schema | undefined,
    key: string | undefined,
  ): void => {
    const claimed = schemas.get(path.join('.')) ?? schema
    if (typeof current === 'string' || typeof current === 'number') {
      if (isSecret(claimed, key, current)) visit(path)
    } else if (Array.isArray(current)) {
      current.forEach((item, index) => walk(item, [...path, index], below(claimed, index), key))
    } else if (isRecord(current)) {
      for (const [name, inner] of Object.entries(current)) walk(inner, [...path, name], below(claimed, name), name)
    }
  }
  walk(value, [], undefined, undefined)
}

/** Returns a copy of the whole configuration with masked secrets. */
export function maskSecrets(source: unknown, schemas: SchemasByPath): unknown {
  const copy = structuredClone(source)
  eachSecret(source, schemas, (path) => {
    const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>
    holder[path.at(-1) as string | number] = SECRET_MASK
  })
  return copy
}

/** Returns the item of `old` that corresponds to a list item: by `id` or `name`, or else by position. */
function matchingItem(old: unknown, item: unknown, index: number): { value: unknown; index: number } {
  if (!Array.isArray(old)) return { value: undefined, index }
  for (const key of ['id', 'name']) {
    const name = isRecord(item) ? item[key] : undefined
    if (typeof name !== 'string' || name === SECRET_MASK) continue
    const found = old.findIndex(
      (other) =>
        isRecord(other) &&
        other[key] === name &&
        (key !== 'id' || other['adapter'] === (item as Record<string, unknown>)['adapter']),
    )
    return { value: old[found], index: found }
  }
  return { value: old[index], index }
}

/** Creates the error for a mask without a stored secret. */
export function noStoredSecretError(path: string): WireError {
  return new WireError('invalid_request:config', `${path || 'The value'} is masked, but no secret is stored there`, {
    details: [{ path, message: 'is masked, but no secret is stored there' }],
  })
}

/**
 * Returns `value` with every mask replaced by the value at the same path of `old`.
 *
 * @throws WireError for a mask without a stored secret
 */
export function unmaskSecrets(value: unknown, old: unknown, path = ''): unknown {
  if (value === SECRET_MASK) {
    if (typeof old === 'string' || typeof old === 'number') return old
    throw noStoredSecretError(path)
  }
  if (Array.isArray(value))
    return value.map((item, index) => unmaskSecrets(item, matchingItem(old, item, index).value, `${path}[${index}]`))
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        unmaskSecrets(inner, valueAt(old, [key]), path ? `${path}.${key}` : key),
      ]),
    )
  return value
}

/**
 * Returns the path in the old configuration that corresponds to `path` in the new one. List items are matched as above.
 */
export function pathInOld(path: readonly (string | number)[], fresh: unknown, old: unknown): (string | number)[] {
  const found: (string | number)[] = []
  let newer = fresh
  let older = old
  for (const key of path) {
    newer = valueAt(newer, [key])
    if (typeof key === 'number') {
      const match = matchingItem(older, newer, key)
      found.push(match.index)
      older = match.value
    } else {
      found.push(key)
      older = valueAt(older, [key])
    }
  }
  return found
}
