import type { TSchema } from 'typebox'
import { closestMatch } from '../base/closest-match.js'
import { claimsOf, type AnyPlugin, type Plugin } from '../core/plugin.js'
import { castTouched } from './cast.js'
import type { ConfigDocument, Section } from './document.js'
import { joinPath } from './key-path.js'
import { installCommandOf } from './own-plugins.js'
import { problem, type Problem } from './problem.js'

/** One item of `plugins`. */
export interface ListedPlugin {
  /** As written: a short name, a package or a path. */
  readonly name: string
  readonly enabled: boolean
  /** Its key path, `plugins[2]`. */
  readonly path: string
}

/** The plugin that an item of `plugins` names. */
export interface ListedName {
  /** As written: a short name, a package or a path. */
  readonly name: string
  readonly plugin: string
}

/** A configuration path that a plugin claims. */
export interface Claim {
  readonly plugin: string
  readonly path: string
}

/** Paths that the caller of the loader reads itself, each with its schema. */
export type OwnKeys = Readonly<Record<string, TSchema>>

/** The key of the list of plugins. */
const LIST = 'plugins'
const MAX_UNCLAIMED = 100
/** As in Compose files: a key for values that others merge or repeat by an anchor. */
const EXTENSION = /^x-/

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the items of `plugins`, written in either form. */
export function listPlugins(
  values: Section,
  document: ConfigDocument,
): { listed: ListedPlugin[]; problems: Problem[] } {
  const listed: ListedPlugin[] = []
  const problems: Problem[] = []
  const bad = (path: string, message: string): void =>
    void problems.push(problem('fatal', 'config/shape', `${path} ${message}`, document.place(path)))
  const items = values[LIST] ?? []
  if (!Array.isArray(items)) {
    bad(LIST, 'must be a list of plugin names')
    return { listed, problems }
  }
  for (const [index, item] of items.entries()) {
    const path = joinPath(LIST, index)
    if (typeof item === 'string' && item) {
      listed.push({ name: item, enabled: true, path })
      continue
    }
    if (!isSection(item) || typeof item['name'] !== 'string' || !item['name']) {
      bad(path, 'must be the name of a plugin, a path, or { name, enabled }')
      continue
    }
    const unknown = Object.keys(item).find((key) => key !== 'name' && key !== 'enabled')
    const enabled = item['enabled'] ?? true
    if (unknown !== undefined) bad(joinPath(path, unknown), 'is not known here; known are name, enabled')
    else if (typeof enabled !== 'boolean' && enabled !== 'true' && enabled !== 'false')
      bad(joinPath(path, 'enabled'), 'must be true or false')
    else listed.push({ name: item['name'], enabled: enabled === true || enabled === 'true', path })
  }
  return { listed, problems }
}

/** Returns the value at a dotted path. */
export function valueAt(values: unknown, path: string): unknown {
  let value = values
  for (const key of path.split('.')) {
    if (!isSection(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** Returns the section at `path` without the parts that longer claims take out of it. */
function withoutLonger(section: unknown, path: string, longer: readonly string[]): unknown {
  if (!isSection(section)) return section
  const inside = longer.filter((claim) => claim.startsWith(`${path}.`))
  if (inside.length === 0) return section
  const rest: Section = {}
  for (const [key, value] of Object.entries(section)) {
    const own = `${path}.${key}`
    if (!inside.includes(own))
      rest[key] = inside.some((claim) => claim.startsWith(`${own}.`)) ? withoutLonger(value, own, inside) : value
  }
  return rest
}

/** Returns the section of a plugin, or its sections by path when it claims several. */
export function sectionFor(
  plugin: AnyPlugin,
  values: Section,
  claims: readonly Claim[],
  touched: ReadonlySet<string>,
): unknown {
  const longer = claims.map(({ path }) => path)
  const own = claimsOf(plugin).map(({ path, schema }) => {
    // A key without a value counts as absent.
    const section = valueAt(values, path) ?? undefined
    return [path, castTouched(withoutLonger(section, path, longer), schema, path, touched)] as const
  })
  if ('keys' in ((plugin as Plugin).config ?? {}))
    return Object.fromEntries(own.filter(([, section]) => section !== undefined))
  return own[0]?.[1]
}

/** Returns warnings about keys that no plugin reads, at most 100. */
export function unclaimed(
  values: Section,
  claims: readonly Claim[],
  own: OwnKeys,
  document: ConfigDocument,
): Problem[] {
  const paths = claims.map(({ path }) => path)
  const known = new Set([...paths, ...Object.keys(own), LIST])
  const found: Problem[] = []
  const visit = (section: Section, base: string): void => {
    for (const [key, value] of Object.entries(section)) {
      const path = joinPath(base, key)
      if (known.has(path) || found.length >= MAX_UNCLAIMED || EXTENSION.test(path)) continue
      if (isSection(value) && paths.some((claim) => claim.startsWith(`${path}.`))) {
        visit(value, path)
        continue
      }
      // A section with the name of a plugin of this project belongs to it, if it is enabled or not.
      const command = installCommandOf(path)
      const meant = command ? undefined : closestMatch(path, paths)
      const remedy = command ? `; add ${path} to plugins, after: ${command}` : ''
      found.push(
        problem(
          'warning',
          'config/unclaimed',
          `${path} is read by no plugin${meant ? `; did you mean "${meant}"?` : remedy}`,
          document.place(path),
        ),
      )
    }
  }
  visit(values, '')
  return found
}

/** Returns problems of plugins that claim a path of an earlier enabled plugin. */
export function conflicts(
  entries: readonly { plugin: AnyPlugin; enabled: boolean; path: string }[],
  document: ConfigDocument,
): Problem[] {
  const owners = new Map<string, string>()
  const found: Problem[] = []
  for (const { plugin, enabled, path: listedAt } of entries) {
    if (!enabled) continue
    for (const { path } of claimsOf(plugin)) {
      const owner = owners.get(path)
      if (owner === undefined) owners.set(path, plugin.name)
      else
        found.push(
          problem(
            'plugin',
            'config/conflicting-claims',
            `${plugin.name} and ${owner} both read the section "${path}"`,
            document.place(listedAt),
            plugin.name,
          ),
        )
    }
  }
  return found
}

/** Returns a function that tells whether the key at a path may name a variable that is not set, by its schema. */
export function mayBeUnset(plugins: readonly AnyPlugin[]): (path: string) => boolean {
  const claims = plugins.flatMap(claimsOf).sort((a, b) => b.path.length - a.path.length)
  return (path) => {
    const claim = claims.find((other) => path.startsWith(`${other.path}.`))
    if (!claim) return false
    let schema: PropertySchema | undefined = claim.schema as PropertySchema
    for (const key of path.slice(claim.path.length + 1).split('.')) {
      schema = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
      if (!schema) return false
    }
    return schema.mayBeUnset === true
  }
}

interface PropertySchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly mayBeUnset?: boolean
}
