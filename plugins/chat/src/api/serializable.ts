// Whether a value can be kept and sent on as JSON: what contains itself, or holds functions, cannot.

const MAX_DEPTH = 32
const MAX_VALUES = 100_000

/** Whether `value` is data all the way down; whatever its getters throw, this does not. */
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
    // A proxy or getter that throws: nobody can write that down.
    return false
  }
}
