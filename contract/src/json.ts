/** Returns whether a value is an object with keys, and neither `null` nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether a value has at most `depth` levels. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (!isShallow(inner, depth - 1)) return false
  return true
}
