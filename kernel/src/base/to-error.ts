// Converts anything thrown into a safe Error: one that any code may read without running code of the thrower.
import { types } from 'node:util'

const UNSHOWABLE = 'threw a value that cannot be shown'
const MAX_CAUSES = 8
const NOT_COPIED = new Set(['message', 'name', 'stack', '__proto__'])
/**
 * The properties that readers of errors use. A getter among them is foreign code, which would run at any time later.
 */
const READ_KEYS = ['name', 'message', 'code', 'cause'] as const

/** Returns the descriptor of an own or inherited property, or `foreign` when reading it would run foreign code. */
function findProperty(value: object, key: string): PropertyDescriptor | 'foreign' | undefined {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (types.isProxy(at)) return 'foreign'
    const found = Object.getOwnPropertyDescriptor(at, key)
    if (found) return 'value' in found ? found : 'foreign'
  }
  return undefined
}

/** Returns whether reading the error and its causes runs no foreign code. */
function isSafeError(value: unknown, causes = 0): value is Error {
  if (!types.isNativeError(value) || types.isProxy(value)) return false
  const [name, message, code, cause] = READ_KEYS.map((key) => findProperty(value, key))
  if ([name, message, code, cause].includes('foreign')) return false
  const textOf = (found: typeof name): unknown => (found as PropertyDescriptor | undefined)?.value as unknown
  if (typeof textOf(name) !== 'string' || typeof textOf(message) !== 'string' || isObject(textOf(code))) return false
  // The stack is built on first use, by a function of the process that may throw. Later reads return the built one.
  Reflect.get(value, 'stack')
  return textOf(cause) === undefined || (causes < MAX_CAUSES && isSafeError(textOf(cause), causes + 1))
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Returns the result of `read`, or undefined when it throws. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // The caller has a fallback.
    return undefined
  }
}

const stringIn = (value: object, key: string): string | undefined => {
  const found = tried(() => (value as Record<string, unknown>)[key])
  return typeof found === 'string' ? found : undefined
}

/** Copies everything readable of `thrown` into a plain error. */
function copyOf(thrown: unknown, causes: number): Error {
  if (!isObject(thrown)) return new Error(tried(() => String(thrown)) ?? UNSHOWABLE)
  const copy = new Error((stringIn(thrown, 'message') ?? tried(() => String(thrown))) || UNSHOWABLE)
  const define = (key: string, value: unknown): void =>
    void Object.defineProperty(copy, key, { value, configurable: true, writable: true })
  for (const key of ['name', 'stack']) {
    const text = stringIn(thrown, key)
    if (text !== undefined) define(key, text)
  }
  // Other primitive properties, such as `code` and `errno`, are kept.
  for (const key of tried(() => Object.keys(thrown)) ?? []) {
    if (NOT_COPIED.has(key)) continue
    const value = tried(() => (thrown as Record<string, unknown>)[key])
    if (value !== undefined && !isObject(value)) define(key, value)
  }
  const cause = tried(() => (thrown as { cause?: unknown }).cause)
  if (cause !== undefined && causes < MAX_CAUSES) define('cause', errorOf(cause, causes + 1))
  return copy
}

const errorOf = (thrown: unknown, causes: number): Error =>
  tried(() => isSafeError(thrown)) ? (thrown as Error) : copyOf(thrown, causes)

/**
 * Converts anything thrown into an error that is safe to read, log and keep. Never throws, whatever proxies, getters or
 * `toString` do. Returns an ordinary error as it is, and a copy of anything else.
 */
export function toError(thrown: unknown): Error {
  return errorOf(thrown, 0)
}

/** Returns the message of anything thrown. */
export function messageOf(thrown: unknown): string {
  const error = toError(thrown)
  return error.message || error.name
}

/** Returns the stack of an error, if it has a readable one. */
export function stackOf(error: Error): string | undefined {
  return stringIn(error, 'stack')
}
