// Reads the values of single keywords. `undefined` means that a value says nothing, so that its keyword is dropped.
import { isRecord } from '@mynah/contract'
import { join } from './path.js'
import { UnusableSchema } from './unusable-schema.js'

/** The words of other languages and description formats for the seven types; `any` restricts nothing. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string:
      'string str text char date datetime date-time time uuid uri url email file binary byte bytes password secret enum',
    number: 'number num float float32 float64 double decimal numeric',
    integer: 'integer int int32 int64 uint long short bigint',
    boolean: 'boolean bool',
    object: 'object dict dictionary map record struct',
    array: 'array list tuple set sequence',
    null: 'null none nil undefined void',
    any: 'any unknown mixed json value variant type_unspecified',
  }).flatMap(([type, words]) => words.split(' ').map((word) => [word, type] as const)),
)

/** Returns the types that a value of `type` allows. */
export function typesOf(value: unknown, path: string): string[] | undefined {
  const words = (Array.isArray(value) ? value : [value]).flatMap((word: unknown) =>
    typeof word === 'string' ? word.split('|') : [Array.isArray(value) ? (word ?? 'null') : word],
  )
  const types = new Set<string>()
  for (const word of words) {
    if (word === null || word === undefined || word === '') continue
    const type = typeof word === 'string' ? TYPES.get(word.trim().toLowerCase()) : undefined
    if (type === undefined) throw new UnusableSchema(path, `is ${quoted(word)}, which is not a type`)
    if (type === 'any') return undefined
    types.add(type)
  }
  return types.size ? [...types] : undefined
}

/** Returns the type of a value of JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Returns whether a value has one of the types. */
export const hasType = (types: readonly string[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (typeof value === 'number' && types.includes('number'))

function numberOf(value: unknown, path: string): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number))
    throw new UnusableSchema(path, `is ${quoted(value)}, which is not a number`)
  return Number.isFinite(number) ? number : undefined
}

/** Returns a limit of a length or a count. Generators write -1 for no limit. */
function countOf(value: unknown, path: string): number | undefined {
  const number = numberOf(value, path)
  return number !== undefined && number >= 0 ? number : undefined
}

export function booleanOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' || typeof value === 'boolean' ? String(value).toLowerCase() : undefined
  if (word === 'true' || word === 'yes') return true
  return word === 'false' || word === 'no' ? false : undefined
}

/** Returns a list. PHP writes a list with gaps as an object whose keys are numbers. */
export function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isRecord(value) && Object.keys(value).every((key) => /^\d{1,9}$/.test(key))) return Object.values(value)
  throw new UnusableSchema(path, 'is not a list')
}

/** Returns the values of an `enum`. Some servers send the object of an enumeration of their language. */
function choicesOf(value: unknown, path: string): readonly unknown[] | undefined {
  const isEnumeration = isRecord(value) && Object.values(value).every((choice) => typeof choice !== 'object')
  const choices = isEnumeration ? Object.values(value) : listOf(value, path)
  return choices.length ? choices : undefined
}

/** Returns the names of a `required`. A flag belongs to the object around, which reads it. */
function namesOf(value: unknown, path: string): readonly string[] {
  if (value === '' || booleanOf(value) !== undefined) return []
  const names = (typeof value === 'string' ? [value] : listOf(value, path)).filter((name) => name !== null)
  if (!names.every((name) => typeof name === 'string')) throw new UnusableSchema(path, 'is not a list of names')
  return names
}

/** Returns an object by name. PHP writes an empty one as a list, other servers have lists of named objects. */
export function mapOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  const entries: (readonly [string, unknown])[] = []
  for (const each of Array.isArray(value) ? (value as unknown[]) : [undefined]) {
    const name = isRecord(each) ? each['name'] : undefined
    if (typeof name !== 'string') throw new UnusableSchema(path, 'is not an object')
    const { name: _name, ...rest } = each as Record<string, unknown>
    entries.push([name, rest])
  }
  return Object.fromEntries(entries)
}

/** Returns a pattern. One between slashes, as JavaScript writes it in code, would match nothing. */
function patternOf(value: string): string | undefined {
  const end = value.lastIndexOf('/')
  if (end < 1 || !value.startsWith('/')) return value
  const inner = value.slice(1, end)
  if (!/^\^|\$$/.test(inner) || !/^[a-z]*$/.test(value.slice(end + 1))) return value
  // No pattern has the flags of another.
  return value.length === end + 1 ? inner : undefined
}

/** Returns a value as a part of a message. */
export const quoted = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 100)

type Reader = (value: unknown, path: string) => unknown
const text: Reader = (value) => (typeof value === 'string' ? value : undefined)
const data: Reader = (value) => value
const nothing: Reader = () => undefined
const READERS: ReadonlyMap<string, Reader> = new Map(
  (
    [
      ['title description format $comment contentEncoding contentMediaType', text],
      ['minimum maximum exclusiveMinimum exclusiveMaximum', numberOf],
      ['minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', countOf],
      ['multipleOf', (value, path) => Math.abs(numberOf(value, path) ?? 0) || undefined],
      ['pattern', (value) => (typeof value === 'string' ? patternOf(value) : undefined)],
      ['uniqueItems', booleanOf],
      ['type', typesOf],
      ['enum', choicesOf],
      ['const default', data],
      ['required', namesOf],
      ['dependentRequired', namesByName],
      ['id nullable x-nullable', nothing],
    ] satisfies readonly (readonly [string, Reader])[]
  ).flatMap(([keywords, reader]) => keywords.split(' ').map((keyword) => [keyword, reader] as const)),
)

function namesByName(value: unknown, path: string): object {
  const entries = Object.entries(mapOf(value, path))
  return Object.fromEntries(entries.map(([name, needed]) => [name, namesOf(needed, join(path, name))]))
}

/** Reads a keyword that has no schemas. Those that are not known may say something to the model. */
export function readKeyword(keyword: string, value: unknown, path: string): unknown {
  const reader = READERS.get(keyword)
  if (reader) return reader(value, path)
  // An object may have names that the check would take for references to it.
  return keyword.startsWith('$') || isRecord(value) ? undefined : value
}
