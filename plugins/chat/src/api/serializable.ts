const MAX_DEPTH = 32
const MAX_VALUES = 100_000

/** Returns whether a value can be written as JSON. Never throws, whatever its getters do. */
export function isSerializable(value: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  let left = MAX_VALUES
  try {
    for (let next = open.pop(); next; next = open.pop()) {
      const { value: current, depth } = next
      if (typeof current === 'bigint' || typeof current === 'function' || typeof current === 'symbol') return false
      if (typeof current !== 'object' || current === null || ArrayBuffer.isView(current)) continue
      if (depth === MAX_DEPTH) return false
      for (const inner of Object.values(current)) {
        if (--left < 0) return false
        open.push({ value: inner, depth: depth + 1 })
      }
    }
    return true
  } catch {
    // A proxy or getter that throws cannot be written.
    return false
  }
}

/** Returns whether a text in a value has a NUL character, which PostgreSQL cannot store. */
export function hasNul(value: unknown): boolean {
  // Without escaped backslashes: people may write the escape of a NUL character.
  return JSON.stringify(value).replaceAll('\\\\', '').includes('\\u0000')
}
