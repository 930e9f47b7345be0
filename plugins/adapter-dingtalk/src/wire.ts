// Values that DingTalk sends. Nothing of their shape is certain.
import { isRecord } from '@mynah/contract'

export type Fields = Readonly<Record<string, unknown>>

/** Names are shortened to what chat takes. */
const NAME_LENGTH = 512
const ID_LENGTH = 256

/** Returns an object; an empty one for anything else. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Returns the objects of a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns a text without NUL and halves of characters, which stores refuse. */
export const textOf = (value: unknown, limit = 65_536): string =>
  typeof value === 'string'
    ? value
        .slice(0, limit)
        .replaceAll('\0', '')
        .replace(/\p{Cs}/gu, '\ufffd')
    : ''

/** Returns an id; `undefined` for what is none. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= ID_LENGTH && /^[\x21-\x7e]+$/.test(value) ? value : undefined

/** Returns the first of some names that is not empty. */
export function nameOf(...names: readonly unknown[]): string | undefined {
  return names.map((name) => textOf(name, NAME_LENGTH)).find((name) => name.trim() !== '')
}

/** Returns a number that is whole and not negative. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Returns a JSON object; `undefined` for any other text. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
