// Which values are secret, what they read as, and how a mask that comes back keeps what was stored.
import { isRecord, SECRET_MASK, WireError } from '@mynah/contract'
import { at } from './values.js'

interface Schema {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** The schema of each claimed path. */
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

/** Whether a value at this place is a secret; keys are judged by name where no schema says so, and those of a list by the key of the list. */
function isSecret(schema: Schema | undefined, key: string | undefined, value: string | number): boolean {
  if (value === '' || REFERENCE.test(String(value))) return false
  return schema?.secret === true || (key !== undefined && SECRET_KEY.test(key))
}

/** Calls `visit` for every secret scalar of `value`, with its path. */
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

/** A copy of the whole configuration with its secrets masked. */
export function masked(source: unknown, schemas: SchemasByPath): unknown {
  const copy = structuredClone(source)
  eachSecret(source, schemas, (path) => {
    const holder = at(copy, path.slice(0, -1)) as Record<string | number, unknown>
    holder[path.at(-1) as string | number] = SECRET_MASK
  })
  return copy
}

/** The item of `old` that a list item continues: by `id` or `name`, else by position. */
function counterpart(old: unknown, item: unknown, index: number): { value: unknown; index: number } {
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

/** A mask came where nothing is hidden that it could stand for. */
export function noStoredSecret(path: string): WireError {
  return new WireError('invalid_request:config', `${path || 'The value'} is masked, but no secret is stored there`, {
    details: [{ path, message: 'is masked, but no secret is stored there' }],
  })
}

/** `value` with every mask replaced by what stands at the same place of `old`; a mask without such a place is refused. */
export function unmasked(value: unknown, old: unknown, path = ''): unknown {
  if (value === SECRET_MASK) {
    if (typeof old === 'string' || typeof old === 'number') return old
    throw noStoredSecret(path)
  }
  if (Array.isArray(value))
    return value.map((item, index) => unmasked(item, counterpart(old, item, index).value, `${path}[${index}]`))
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        unmasked(inner, at(old, [key]), path ? `${path}.${key}` : key),
      ]),
    )
  return value
}

/** The path in the old configuration of what stands at `path` of the new one, list items matched as above. */
export function oldPath(path: readonly (string | number)[], fresh: unknown, old: unknown): (string | number)[] {
  const found: (string | number)[] = []
  let newer = fresh
  let older = old
  for (const key of path) {
    newer = at(newer, [key])
    if (typeof key === 'number') {
      const match = counterpart(older, newer, key)
      found.push(match.index)
      older = match.value
    } else {
      found.push(key)
      older = at(older, [key])
    }
  }
  return found
}
