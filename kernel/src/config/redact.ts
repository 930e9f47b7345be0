import type { TSchema } from 'typebox'
import type { LogRecord } from '../base/log.js'
import type { PluginEntry } from '../core/entry.js'
import { claimsOf, type Plugin } from '../core/plugin.js'
import type { Environment } from './environment.js'
import { pathRedactor } from './paths.js'
import { valueAt } from './sections.js'

const MASK = '••••'
/** Masking shorter secrets would mask ordinary words. */
const MIN_SECRET = 6
const MAX_DEPTH = 6
const TOO_DEEP = '…'
const SECRET_KEY = /^(?:.*[a-z_-])?(?:token|api[_-]?key|password|secret)$/i
const BEARER_TOKEN = /\b(Bearer\s+)[\w.~+/=-]{6,}/
const URL_PASSWORD = /((?<=\w):\/\/[^\s/:@]*:)[^\s/@]+(?=@)/
const QUERY_SECRET = /([?&](?:token|access_token|api_key|apikey|key|secret|password)=)[^\s&#]+/
/** Credentials as headers and URLs carry them. */
const CREDENTIALS = new RegExp([BEARER_TOKEN, URL_PASSWORD, QUERY_SECRET].map(({ source }) => source).join('|'), 'gi')

interface SchemaShape {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, SchemaShape>>
  readonly patternProperties?: Readonly<Record<string, SchemaShape>>
  readonly additionalProperties?: boolean | SchemaShape
  readonly items?: SchemaShape
  readonly anyOf?: readonly SchemaShape[]
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Yields the secrets of a section: strings that the schema marks as secret, or whose key is that of a secret. */
function* secretsIn(value: unknown, shape: SchemaShape | undefined, key: string | undefined): Generator<string> {
  if (typeof value === 'string') {
    if (branchesOf(shape).some(({ secret }) => secret === true) || (key !== undefined && SECRET_KEY.test(key)))
      yield value
  } else if (Array.isArray(value)) {
    for (const item of value) yield* secretsIn(item, eitherOf(branchesOf(shape).map(({ items }) => items)), key)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      yield* secretsIn(inner, eitherOf(branchesOf(shape).map((branch) => propertyOf(branch, name))), name)
  }
}

/** Returns a schema and all branches of its `anyOf`. */
const branchesOf = (shape: SchemaShape | undefined): readonly SchemaShape[] =>
  shape ? [shape, ...(shape.anyOf ?? []).flatMap(branchesOf)] : []

/** Combines schemas: a value is a secret if any of them says so. */
function eitherOf(shapes: readonly (SchemaShape | undefined)[]): SchemaShape | undefined {
  const known = shapes.filter((shape) => shape !== undefined)
  return known.length > 1 ? { anyOf: known } : known[0]
}

function propertyOf(
  { properties, patternProperties, additionalProperties }: SchemaShape,
  name: string,
): SchemaShape | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name]
  const patterned = eitherOf(
    Object.entries(patternProperties ?? {})
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, shape]) => shape),
  )
  return patterned ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

/** Returns the secrets of a configuration. */
export function secretsOf(entries: readonly PluginEntry[]): string[] {
  return entries.flatMap(({ plugin, config }) =>
    claimsOf(plugin).flatMap(({ path, schema }: { path: string; schema: TSchema }) => {
      const many = 'keys' in ((plugin as Plugin).config ?? {})
      const section = many ? ((config as Record<string, unknown> | undefined)?.[path] ?? valueAt(config, path)) : config
      return [...secretsIn(section, schema as SchemaShape, path.split('.').at(-1))]
    }),
  )
}

/** Returns the values of variables whose name is that of a secret. */
export const secretVariables = (env: Environment): (string | undefined)[] =>
  Object.keys(env)
    .filter((name) => SECRET_KEY.test(name))
    .map((name) => env[name])

/** Masks secrets and shortens file paths in log records. */
export class Redactor {
  readonly #shorten: (text: string) => string
  readonly #learned = new Set<string>()
  #secrets: RegExp | undefined

  constructor(root: string) {
    this.#shorten = pathRedactor(root)
  }

  /** Adds strings to mask everywhere. Earlier ones stay masked, since a replaced secret may still be valid. */
  learn(secrets: Iterable<string | undefined>): void {
    for (const secret of secrets) if (secret !== undefined && secret.length >= MIN_SECRET) this.#learned.add(secret)
    // Longer ones first, since one secret may begin with another.
    const sorted = [...this.#learned].sort((a, b) => b.length - a.length)
    this.#secrets = sorted.length ? new RegExp(sorted.map(escape).join('|'), 'g') : undefined
  }

  /** Returns the record without secrets. */
  secrets(record: LogRecord): LogRecord {
    return this.#rewrite(record, (text) => {
      const masked = this.#secrets ? text.replace(this.#secrets, MASK) : text
      return masked.replace(
        CREDENTIALS,
        (_whole, bearer?: string, address?: string, query?: string) => `${bearer ?? address ?? query ?? ''}${MASK}`,
      )
    })
  }

  /** Returns the record with shortened file paths. */
  paths(record: LogRecord): LogRecord {
    return this.#rewrite(record, this.#shorten)
  }

  #rewrite(record: LogRecord, rewrite: (text: string) => string): LogRecord {
    const walk = (value: unknown, key: string | undefined, depth: number): unknown => {
      if (typeof value === 'string')
        return key !== undefined && SECRET_KEY.test(key) && value !== '' ? MASK : rewrite(value)
      if (typeof value !== 'object' || value === null) return value
      if (value instanceof Error) return rewrite(value.message)
      // Values below this depth are not checked, so they are dropped.
      if (depth === MAX_DEPTH) return TOO_DEEP
      if (Array.isArray(value)) return value.map((item) => walk(item, key, depth + 1))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [rewrite(name), walk(inner, name, depth + 1)]),
      )
    }
    const message = rewrite(record.message)
    return record.fields
      ? { ...record, message, fields: walk(record.fields, undefined, 0) as Record<string, unknown> }
      : { ...record, message }
  }
}
