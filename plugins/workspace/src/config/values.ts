import { isRecord } from '@mynah/contract'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'

const LIMITS = { schema: CORE_SCHEMA.withTags(mergeTag), maxDepth: 100, maxAliases: 100 } as const
const MAX_VALUES = 200_000

/** Returns a copy without shared values. Limits its size, because aliases multiply and may be circular. */
function withoutAliases(value: unknown, count: { left: number }, depth: number): unknown {
  if (--count.left < 0 || depth > LIMITS.maxDepth) throw new Error('aliases make this file grow too large')
  if (Array.isArray(value)) return value.map((item) => withoutAliases(item, count, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutAliases(inner, count, depth + 1)]))
}

/**
 * Parses a text with js-yaml, the parser that also reads the configuration at start.
 *
 * @throws Error if the text is invalid, exceeds the limits or is not a mapping
 */
export function parseYaml(text: string): Record<string, unknown> {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (body.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) return {}
  const values = withoutAliases(load(body, LIMITS) ?? {}, { left: MAX_VALUES }, 0)
  if (!isRecord(values)) throw new Error('the file must be a mapping of keys to sections')
  return values
}

/** Does the same as {@link parseYaml}, but returns `undefined` for an invalid text. */
export function tryParseYaml(text: string): Record<string, unknown> | undefined {
  try {
    return parseYaml(text)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path)
    current =
      (isRecord(current) || Array.isArray(current)) && Object.hasOwn(current, key)
        ? (current as Record<string | number, unknown>)[key]
        : undefined
  return current
}
