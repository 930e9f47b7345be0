// An answer that says what is already there stays the very object that is there, so that nobody who holds it has anything to do.

const kindOf = (value: unknown): unknown => typeof value === 'object' && value !== null && Object.getPrototypeOf(value)
const kinds: readonly unknown[] = [Object.prototype, Array.prototype]

/** `next`, with every part that equals its part of `former` taken from there; `former` itself where all of it does. Both are JSON, and compared to a depth that no stack minds. */
export function replaceEqualDeep<T>(former: unknown, next: T, depth = 99): T {
  const kind = kindOf(next)
  if (!depth || !kinds.includes(kind) || kindOf(former) !== kind) return next
  const before = former as Readonly<Record<string, unknown>>
  const parts = Object.entries(next as object).map(
    ([name, part]) => [name, replaceEqualDeep<unknown>(before[name], part, depth - 1)] as const,
  )
  if (
    parts.length === Object.keys(before).length &&
    parts.every(([name, part]) => Object.hasOwn(before, name) && Object.is(part, before[name]))
  )
    return former as T
  return (Array.isArray(next) ? parts.map(([, part]) => part) : Object.fromEntries(parts)) as T
}
