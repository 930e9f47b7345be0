import { isRecord, matchingItem, SECRET_MASK } from '@mynah/contract'
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

/** Whether a text is a bare reference to an environment variable, which holds no secret itself. */
export const isReference = (text: string): boolean => REFERENCE.test(text)

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
  if (value === '' || isReference(String(value))) return false
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

/** Returns the paths of secrets that differ between two configurations, in which they are masked alike. */
export function changedSecrets(before: unknown, now: unknown, schemas: SchemasByPath): string[] {
  const changed: string[] = []
  eachSecret(now, schemas, (path) => {
    const old = valueAt(before, pathInOld(path, now, before))
    if (old !== undefined && old !== valueAt(now, path)) changed.push(path.join('.'))
  })
  return changed
}

/** Returns a test of the names of keys whose values are secret somewhere. A map of secrets is named by its own key. */
export function secretNames(schemas: SchemasByPath): (name: string) => boolean {
  const names = new Set<string>()
  const walk = (schema: Schema | boolean | undefined, name: string): void => {
    if (typeof schema !== 'object') return
    if (schema.secret === true) names.add(name)
    for (const [key, inner] of Object.entries(schema.properties ?? {})) walk(inner, key)
    const others = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties, schema.items]
    for (const inner of [...others, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(inner, name)
  }
  for (const [path, schema] of schemas) walk(schema, path.slice(path.lastIndexOf('.') + 1))
  return (name) => names.has(name) || SECRET_KEY.test(name)
}

/** Returns the paths of the secrets of a configuration, as {@link withSecrets} takes them. */
export function secretPaths(source: unknown, schemas: SchemasByPath): string[] {
  const paths: string[] = []
  eachSecret(source, schemas, (path) => paths.push(path.join('.')))
  return paths
}

/** Returns schemas by which these paths are secret, too. */
export const withSecrets = (schemas: SchemasByPath, paths: readonly string[]): SchemasByPath =>
  new Map<string, Schema>([...schemas, ...paths.map((path): [string, Schema] => [path, { secret: true }])])
