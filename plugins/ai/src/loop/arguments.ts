import { isShallow } from '@mynah/contract'
import { head } from '../text.js'

/** The most characters of the arguments of one call. */
const MAX_ARGUMENTS = 1024 * 1024
const MAX_DEPTH = 64
/** Characters of unreadable arguments that are kept. */
const KEPT = 500

/** Arguments, or why they cannot be read. `input` is then the beginning of the text. */
export interface Arguments {
  readonly input: unknown
  readonly invalid?: string
}

/** Parses the arguments of a call. An empty text and `null` mean no arguments. Some models encode them twice. */
export function parseArguments(text: string): Arguments {
  if (text.trim() === '') return { input: {} }
  if (text.length > MAX_ARGUMENTS)
    return {
      input: head(text, KEPT),
      invalid: `the arguments are ${text.length} characters long; at most ${MAX_ARGUMENTS} are taken`,
    }
  let value: unknown
  try {
    value = JSON.parse(text)
    if (typeof value === 'string') value = JSON.parse(value)
  } catch {
    return { input: head(text, KEPT), invalid: 'the arguments are not complete JSON' }
  }
  if (value === null) return { input: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { input: head(text, KEPT), invalid: 'the arguments are not a JSON object' }
  if (!isShallow(value, MAX_DEPTH))
    return { input: head(text, KEPT), invalid: `the arguments are nested deeper than ${MAX_DEPTH} levels` }
  return { input: value }
}

/** Copies JSON, so that neither defaults nor tools change what is stored. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const inner = copyJson((value as Record<string, unknown>)[key])
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true })
    else copy[key] = inner
  }
  return copy
}
