// Keeps secrets out of the log, and paths of the machine out of what leaves the host.
import type { TSchema } from 'typebox'
import type { LogRecord } from '../base/log.js'
import type { PluginEntry } from '../core/entry.js'
import { claimsOf, type Plugin } from '../core/plugin.js'
import type { Environment } from './environment.js'
import { pathRedactor } from './paths.js'
import { valueAt } from './sections.js'

const MASK = '••••'
/** Shorter strings would mask ordinary words. */
const MIN_SECRET = 6
const MAX_DEPTH = 6
const TOO_DEEP = '…'
const SECRET_KEY = /^(?:.*[a-z_-])?(?:token|api[_-]?key|password|secret)$/i
/** Credentials in the forms that requests and addresses carry them. */
const CREDENTIALS =
  /\b(Bearer\s+)[\w.~+/=-]{6,}|((?<=\w):\/\/[^\s/:@]*:)[^\s/@]+(?=@)|([?&](?:token|access_token|api_key|apikey|key|secret|password)=)[^\s&#]+/gi

interface Shape {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The secret strings of a section: those that its schema marks, and those whose key says so. */
function* secretsIn(value: unknown, shape: Shape | undefined, key: string | undefined): Generator<string> {
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

/** A shape and those that its `anyOf` offers. */
const branchesOf = (shape: Shape | undefined): readonly Shape[] =>
  shape ? [shape, ...(shape.anyOf ?? []).flatMap(branchesOf)] : []

/** What any of these says counts: which of them a value is of does not matter for a secret. */
function eitherOf(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known = shapes.filter((shape) => shape !== undefined)
  return known.length > 1 ? { anyOf: known } : known[0]
}

function propertyOf({ properties, patternProperties, additionalProperties }: Shape, name: string): Shape | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name]
  const patterned = eitherOf(
    Object.entries(patternProperties ?? {})
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, shape]) => shape),
  )
  return patterned ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

/** The secret strings of a configuration. */
export function secretsOf(entries: readonly PluginEntry[]): string[] {
  return entries.flatMap(({ plugin, config }) =>
    claimsOf(plugin).flatMap(({ path, schema }: { path: string; schema: TSchema }) => {
      const many = 'keys' in ((plugin as Plugin).config ?? {})
      const section = many ? ((config as Record<string, unknown> | undefined)?.[path] ?? valueAt(config, path)) : config
      return [...secretsIn(section, schema as Shape, path.split('.').at(-1))]
    }),
  )
}

/** The values of variables whose name says that they are secret. */
export const secretVariables = (env: Environment): (string | undefined)[] =>
  Object.keys(env)
    .filter((name) => SECRET_KEY.test(name))
    .map((name) => env[name])

/** Rewrites lines of the log. */
export class Redactor {
  readonly #shorten: (text: string) => string
  readonly #learned = new Set<string>()
  #secrets: RegExp | undefined

  constructor(root: string) {
    this.#shorten = pathRedactor(root)
  }

  /** From here on these strings are masked wherever they stand, beside those learned before: a replaced secret is still one. */
  learn(secrets: Iterable<string | undefined>): void {
    for (const secret of secrets) if (secret !== undefined && secret.length >= MIN_SECRET) this.#learned.add(secret)
    // The longer first, since one may begin with another.
    const worth = [...this.#learned].sort((a, b) => b.length - a.length)
    this.#secrets = worth.length ? new RegExp(worth.map(escape).join('|'), 'g') : undefined
  }

  /** The line without secrets. */
  secrets(record: LogRecord): LogRecord {
    return this.#rewrite(record, (text) => {
      const masked = this.#secrets ? text.replace(this.#secrets, MASK) : text
      return masked.replace(
        CREDENTIALS,
        (_whole, bearer?: string, address?: string, query?: string) => `${bearer ?? address ?? query ?? ''}${MASK}`,
      )
    })
  }

  /** The line with paths below the root made relative, and of all others the last name only. */
  paths(record: LogRecord): LogRecord {
    return this.#rewrite(record, this.#shorten)
  }

  #rewrite(record: LogRecord, rewrite: (text: string) => string): LogRecord {
    const walk = (value: unknown, key: string | undefined, depth: number): unknown => {
      if (typeof value === 'string')
        return key !== undefined && SECRET_KEY.test(key) && value !== '' ? MASK : rewrite(value)
      if (typeof value !== 'object' || value === null) return value
      if (value instanceof Error) return rewrite(value.message)
      // What nobody looked into must not go on as it is.
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
