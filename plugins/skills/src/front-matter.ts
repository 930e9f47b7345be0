import { parseDocument } from 'yaml'

/** Largest size of a skill, tool or preset, in bytes. */
export const MAX_BYTES = 256 * 1024
const MAX_HEADER = 32 * 1024

/** Thrown for a malformed file. The message may be shown. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

export interface Parsed {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
}

/**
 * Splits a file into its YAML header and its body.
 *
 * @throws Malformed with the line of the error
 */
export function frontMatter(text: string): Parsed {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '')
  if (!plain.startsWith('---\n')) throw new Malformed('line 1: it must begin with a line of three dashes')
  const end = plain.indexOf('\n---', 3)
  if (end < 0 || end > MAX_HEADER)
    throw new Malformed('the header does not end: a second line of three dashes is missing')
  // Aliases are refused, because a short header could expand to gigabytes.
  const document = parseDocument(plain.slice(4, end + 1), { prettyErrors: false, schema: 'core', version: '1.2' })
  const [error] = document.errors
  if (error)
    throw new Malformed(`line ${1 + plain.slice(0, 4 + error.pos[0]).split('\n').length - 1}: ${error.message}`)
  let fields: unknown
  try {
    fields = document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new Malformed('the header must not use aliases')
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new Malformed('the header must have fields, such as name and description')
  const rest = plain.indexOf('\n', end + 1)
  return { fields: fields as Record<string, unknown>, body: rest < 0 ? '' : plain.slice(rest + 1).trim() }
}

/** Returns a required text of the header. @throws Malformed */
export function textField(fields: Parsed['fields'], key: string, maxLength: number): string {
  const value = fields[key]
  if (typeof value !== 'string' || value.trim() === '') throw new Malformed(`${key}: a text is expected`)
  if (value.length > maxLength) throw new Malformed(`${key}: at most ${maxLength} characters`)
  return value.trim()
}

/** Returns an optional list of texts of the header. @throws Malformed */
export function listField(fields: Parsed['fields'], key: string): readonly string[] | undefined {
  const value = fields[key]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    throw new Malformed(`${key}: a list of texts is expected`)
  return value as string[]
}
