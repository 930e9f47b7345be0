import type { TSchema } from 'typebox'
import type { AnyPlugin } from '../core/plugin.js'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a copy of a schema with each option changed. Options of items are below `[]`, of maps below `<name>`. */
function mapOptions(path: string, schema: Node, change: (path: string, schema: Node) => Node): Node {
  const each = (value: unknown, pathOf: (name: string) => string): unknown =>
    isNode(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            isNode(inner) ? mapOptions(pathOf(name), inner, change) : inner,
          ]),
        )
      : value
  const one = (value: unknown, at: string): unknown => (isNode(value) ? mapOptions(at, value, change) : value)
  const mapped = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties') return [keyword, each(value, (name) => `${path}.${name}`)]
    if (keyword === 'patternProperties') return [keyword, each(value, () => `${path}.<name>`)]
    if (keyword === 'additionalProperties') return [keyword, one(value, `${path}.<name>`)]
    if (keyword === 'items') return [keyword, one(value, `${path}[]`)]
    if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value))
      return [keyword, value.map((branch: unknown) => one(branch, path))]
    return [keyword, value]
  })
  return change(path, Object.fromEntries(mapped))
}

/** Returns the path and the English description of each described option of a section. */
export function describedOptions(path: string, schema: object): [path: string, description: string][] {
  const found: [string, string][] = []
  mapOptions(path, schema as Node, (at, option) => {
    if (typeof option['description'] === 'string') found.push([at, option['description']])
    return option
  })
  return found
}

const copies = new WeakMap<AnyPlugin, Map<string, TSchema>>()

/** Returns the schema of a section of a plugin, with `descriptions` in the languages that the plugin has. */
export function inAllLanguages(plugin: AnyPlugin, path: string, schema: TSchema): TSchema {
  const languages = Object.entries(plugin.optionDescriptions ?? {})
  if (languages.length === 0) return schema
  const known = copies.get(plugin) ?? new Map<string, TSchema>()
  copies.set(plugin, known)
  const copy =
    known.get(path) ??
    (mapOptions(path, schema as Node, (at, option) => {
      const texts = languages.flatMap(([language, byPath]) =>
        Object.hasOwn(byPath, at) ? [[language, byPath[at]] as const] : [],
      )
      // Both texts of an option belong together: one without an English text describes something else.
      return texts.length === 0 || !('description' in option)
        ? option
        : { ...option, descriptions: Object.fromEntries(texts) }
    }) as TSchema)
  known.set(path, copy)
  return copy
}
