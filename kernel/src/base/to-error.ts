// The border at which values that came from elsewhere become ours: whatever was thrown is a plain error from here on.
import { types } from 'node:util'

const UNSHOWABLE = 'threw a value that cannot be shown'
const MAX_CAUSES = 8
/** What readers of errors read; a getter among them is foreign code that would run later, wherever that is. */
const READ = ['name', 'message', 'code', 'cause'] as const

/** The descriptor of a property, own or inherited; none where it cannot be known without running foreign code. */
function find(value: object, key: string): PropertyDescriptor | 'foreign' | undefined {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (types.isProxy(at)) return 'foreign'
    const found = Object.getOwnPropertyDescriptor(at, key)
    if (found) return 'value' in found ? found : 'foreign'
  }
  return undefined
}

/** Whether it is an error that can be read anywhere, its causes too, without running code of whoever made it. */
function isSafeError(value: unknown, causes = 0): value is Error {
  if (!types.isNativeError(value) || types.isProxy(value)) return false
  const [name, message, code, cause] = READ.map((key) => find(value, key))
  if ([name, message, code, cause].includes('foreign')) return false
  const textOf = (found: typeof name): unknown => (found as PropertyDescriptor | undefined)?.value as unknown
  if (typeof textOf(name) !== 'string' || typeof textOf(message) !== 'string' || isObject(textOf(code))) return false
  // Made at the first reading, by a function of the process that may throw: after this it is there.
  Reflect.get(value, 'stack')
  return textOf(cause) === undefined || (causes < MAX_CAUSES && isSafeError(textOf(cause), causes + 1))
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** What `read` gives, where it gives anything. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // Whatever this was, the caller has something to say in its place.
    return undefined
  }
}

const stringIn = (value: object, key: string): string | undefined => {
  const found = tried(() => (value as Record<string, unknown>)[key])
  return typeof found === 'string' ? found : undefined
}

/** A plain error that says what can be said of `thrown`. */
function copyOf(thrown: unknown, causes: number): Error {
  if (!isObject(thrown)) return new Error(tried(() => String(thrown)) ?? UNSHOWABLE)
  const copy = new Error((stringIn(thrown, 'message') ?? tried(() => String(thrown))) || UNSHOWABLE)
  const define = (key: string, value: unknown): void =>
    void Object.defineProperty(copy, key, { value, configurable: true, writable: true })
  for (const key of ['name', 'stack']) {
    const text = stringIn(thrown, key)
    if (text !== undefined) define(key, text)
  }
  // What errors carry beside their text, as `code` and `errno`, is kept as far as it is plain.
  for (const key of tried(() => Object.keys(thrown)) ?? []) {
    const value = tried(() => (thrown as Record<string, unknown>)[key])
    if (
      key !== 'message' &&
      key !== 'name' &&
      key !== 'stack' &&
      key !== '__proto__' &&
      value !== undefined &&
      !isObject(value)
    )
      define(key, value)
  }
  const cause = tried(() => (thrown as { cause?: unknown }).cause)
  if (cause !== undefined && causes < MAX_CAUSES) define('cause', errorOf(cause, causes + 1))
  return copy
}

const errorOf = (thrown: unknown, causes: number): Error =>
  tried(() => isSafeError(thrown)) ? (thrown as Error) : copyOf(thrown, causes)

/**
 * Anything thrown as an error that can be read, logged and kept anywhere. Total: no proxy, getter or `toString` makes it
 * throw. An ordinary error is returned as it is; of anything else, and of an error with a hostile part, a copy.
 */
export function toError(thrown: unknown): Error {
  return errorOf(thrown, 0)
}

/** The text of anything thrown. */
export function messageOf(thrown: unknown): string {
  const error = toError(thrown)
  return error.message || error.name
}

/** The stack of an error, where it has one that can be read. */
export function stackOf(error: Error): string | undefined {
  return stringIn(error, 'stack')
}
