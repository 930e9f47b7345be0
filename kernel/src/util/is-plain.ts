import { isProxy } from 'node:util/types'

const PLAIN: ReadonlySet<object | null> = new Set<object | null>([
  null,
  Object.prototype,
  Array.prototype,
  Map.prototype,
  Set.prototype,
  Date.prototype,
  RegExp.prototype,
  URL.prototype,
  ArrayBuffer.prototype,
  Buffer.prototype,
  ...[Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array].map(
    ({ prototype }) => prototype as object,
  ),
])

/**
 * Returns whether a value is made of plain objects, lists, maps, sets, dates, bytes and primitive values only, so that
 * no class and no function of a plugin is reached from it.
 */
export function isPlain(value: unknown): boolean {
  const seen = new Set<object>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'function' || typeof one === 'symbol') return false
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    if (isProxy(one) || !PLAIN.has(Object.getPrototypeOf(one) as object | null)) return false
    for (const held of heldBy(one)) open.push(held)
  }
  return true
}

/** Returns the values that an object holds. A getter is among them as a function. */
function* heldBy(one: object): Generator<unknown> {
  if (ArrayBuffer.isView(one)) return
  if (Array.isArray(one)) return yield* one as unknown[]
  if (one instanceof Map) for (const entry of one) yield* entry as unknown[]
  else if (one instanceof Set) yield* one as Set<unknown>
  for (const { value, get } of Object.values(Object.getOwnPropertyDescriptors(one))) yield get ?? value
}
