// Reduces a configuration to what its schemas allow: keys that are declared, and values of a closed set.
import type { DescribedFile } from '@mynah/kernel/loader'
import { HIDDEN, OWN_PLUGIN, type Reducer } from './reduce-text.js'

/** A number with a higher limit may be an id. */
const LARGE = 1e9

interface Shape {
  readonly type?: string
  readonly secret?: boolean
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

type Described = Pick<DescribedFile, 'values' | 'schemas' | 'items'>

/**
 * Returns a configuration without secrets, and without texts and names that people wrote. Shown are keys of schemas,
 * booleans, numbers with a declared limit, and texts that are a default or one of an enumeration.
 */
export function reduceConfiguration({ values, schemas, items }: Described, reducer: Reducer): unknown {
  const reduce = (value: unknown, path: string, shapes: readonly Shape[]): unknown => {
    const claimed = schemas.get(path)
    const all = (claimed ? [claimed as Shape, ...shapes] : shapes).flatMap(branchesOf)
    if (Array.isArray(value))
      return value.map((item: unknown) =>
        reduce(item, `${path}[]`, [
          ...all.flatMap(({ items: inner }) => inner ?? []),
          ...itemShapes(items, path, item),
        ]),
      )
    if (typeof value === 'object' && value !== null) return reduceKeys(Object.entries(value), path, all)
    return all.some(({ secret }) => secret === true) ? HIDDEN : reduceScalar(value, all)
  }
  const reduceKeys = (entries: readonly [string, unknown][], path: string, shapes: readonly Shape[]): object => {
    let hidden = 0
    return Object.fromEntries(
      entries.map(([key, inner]) => {
        const at = path === '' ? key : `${path}.${key}`
        const isKnown = isPrefixOf(at, schemas) || shapes.some(({ properties }) => Object.hasOwn(properties ?? {}, key))
        const shown = isKnown ? key : `(name ${++hidden})`
        return [
          shown,
          reduce(
            inner,
            at,
            shapes.flatMap((shape) => below(shape, key)),
          ),
        ]
      }),
    )
  }
  const { plugins, ...sections } = values
  return { plugins: reducePlugins(plugins, reducer), ...(reduce(sections, '', []) as object) }
}

function reducePlugins(plugins: unknown, reducer: Reducer): unknown {
  if (!Array.isArray(plugins)) return HIDDEN
  return plugins.map((item: unknown) => {
    if (typeof item === 'string') return item.startsWith('.') ? OWN_PLUGIN : reducer.plugin(item)
    const { name, enabled } = (item ?? {}) as { readonly name?: unknown; readonly enabled?: unknown }
    return { name: typeof name === 'string' ? reducer.plugin(name) : HIDDEN, enabled: enabled !== false }
  })
}

/** Returns the schemas of an item by the plugin that it belongs to, such as those of an account by its adapter. */
const itemShapes = (items: Described['items'], list: string, item: unknown): Shape[] =>
  items
    .filter((one) => one.list === list && (item as Record<string, unknown> | null)?.[one.key] === one.value)
    .map(({ key, value, schema }) => ({
      ...(schema as Shape),
      properties: { ...(schema as Shape).properties, [key]: { const: value } },
    }))

const branchesOf = (shape: Shape): readonly Shape[] => [shape, ...(shape.anyOf ?? []).flatMap(branchesOf)]

function below({ properties, patternProperties, additionalProperties }: Shape, key: string): Shape[] {
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (own) return [own]
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(patternProperties ?? {}), ...more]
}

/** Returns whether a path is that of a section, or leads to one. */
const isPrefixOf = (path: string, schemas: DescribedFile['schemas']): boolean =>
  Array.from(schemas.keys()).some((known) => known === path || known.startsWith(`${path}.`))

function reduceScalar(value: unknown, shapes: readonly Shape[]): unknown {
  if (typeof value === 'boolean' || value === null || value === undefined) return value
  const isDeclared = shapes.some(
    (shape) => shape.const === value || shape.default === value || shape.enum?.includes(value) === true,
  )
  if (isDeclared) return value
  if (typeof value === 'number') return shapes.some(({ maximum = Infinity }) => maximum <= LARGE) ? value : HIDDEN
  return value === '' ? '' : HIDDEN
}
