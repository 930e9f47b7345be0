// The values of a YAML text, bounded: aliases multiply, and a circle never ends.
import { isRecord } from '@mynah/contract'
import { CORE_SCHEMA, load } from 'js-yaml'

const LIMITS = { schema: CORE_SCHEMA, maxDepth: 100, maxAliases: 100 } as const
const MAX_VALUES = 200_000

/** A copy in which nothing is shared. */
function unfolded(value: unknown, count: { left: number }, depth: number): unknown {
  if (--count.left < 0 || depth > LIMITS.maxDepth) throw new Error('aliases make this file grow too large')
  if (Array.isArray(value)) return value.map((item) => unfolded(item, count, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unfolded(inner, count, depth + 1)]))
}

/** The values of a text, read by the parser of record within its limits; throws where they are none, or no mapping. */
export function valuesOf(text: string): Record<string, unknown> {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (body.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) return {}
  const values = unfolded(load(body, LIMITS) ?? {}, { left: MAX_VALUES }, 0)
  if (!isRecord(values)) throw new Error('the file must be a mapping of keys to sections')
  return values
}

/** The same; `undefined` where the text has none. */
export function valuesIn(text: string): Record<string, unknown> | undefined {
  try {
    return valuesOf(text)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** The value at a path; `undefined` where there is none. */
export function at(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path)
    current =
      (isRecord(current) || Array.isArray(current)) && Object.hasOwn(current, key)
        ? (current as Record<string | number, unknown>)[key]
        : undefined
  return current
}
