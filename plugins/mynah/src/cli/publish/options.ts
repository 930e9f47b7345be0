// The options of a running plugin, as its README should name them.
import { isRecord } from '@mynah/contract'
import type { PluginView } from '@mynah/kernel'

const MAX_DEPTH = 6
const MAX_OPTIONS = 500

/** Returns the paths of the options in a schema: those that have no options below them. */
function pathsIn(schema: unknown, path: string, depth = 0): string[] {
  if (!isRecord(schema) || depth > MAX_DEPTH) return path ? [path] : []
  const { properties, patternProperties, items, additionalProperties } = schema
  const named = isRecord(properties)
    ? Object.entries(properties).flatMap(([name, inner]) => pathsIn(inner, path ? `${path}.${name}` : name, depth + 1))
    : []
  const inner = [
    ...(isRecord(patternProperties) ? Object.values(patternProperties) : []),
    ...(isRecord(additionalProperties) ? [additionalProperties] : []),
    ...(isRecord(items) ? [items] : []),
  ]
    .filter((value) => isRecord(value) && isRecord(value['properties']))
    .flatMap((value) => pathsIn(value, path, depth + 1))
  const all = [...named, ...inner]
  return all.length > 0 || !path ? all : [path]
}

/** Returns the paths of the sections of a plugin, and of the options of its endpoints without a section. */
export function optionsOf({ schemas, contributions }: PluginView): string[] {
  const sections = Object.entries(schemas).flatMap(([path, schema]) => {
    const found = pathsIn(schema, path)
    // A section without options is none itself.
    return isRecord(schema) && schema['type'] === 'object' ? found.filter((one) => one !== path) : found
  })
  const endpoints = contributions
    .filter(({ point }) => point === 'chat.adapters')
    .flatMap(({ value }) => pathsIn(isRecord(value) ? value['schema'] : undefined, ''))
  return Array.from(new Set([...sections, ...endpoints])).slice(0, MAX_OPTIONS)
}
