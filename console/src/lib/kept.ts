// An answer that says what is already there stays the very object that is there, so that nobody who holds it has anything to do.

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** `next`, with every part that equals its part of `former` taken from there; `former` itself where all of it does. Both are JSON. */
export function kept<T>(former: unknown, next: T): T {
  if (Object.is(former, next)) return next
  if (Array.isArray(former) && Array.isArray(next)) {
    const parts = next.map((part: unknown, index) => kept<unknown>(former[index], part))
    return (former.length === parts.length && parts.every((part, index) => Object.is(part, former[index])) ? former : parts) as T
  }
  if (isPlain(former) && isPlain(next)) {
    const names = Object.keys(next)
    const parts = Object.fromEntries(names.map((name) => [name, kept(Object.hasOwn(former, name) ? former[name] : undefined, next[name])]))
    return (Object.keys(former).length === names.length && names.every((name) => Object.hasOwn(former, name) && Object.is(parts[name], former[name])) ? former : parts) as T
  }
  return next
}
