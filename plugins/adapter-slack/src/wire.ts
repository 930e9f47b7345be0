// Values that Slack sends. Nothing of their shape is certain.
import { isRecord } from '@mynah/contract'

export type Fields = Readonly<Record<string, unknown>>

/** Names are shortened to what chat takes. */
const NAME_LENGTH = 512

/** Returns an object; an empty one for anything else. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Returns the objects of a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns the id of a channel, user, bot or file; `undefined` for what is none. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z][A-Z0-9]{1,19}$/.test(value) ? value : undefined

/** Returns the number of a message in its channel, which is also its time; `undefined` for what is none. */
export const tsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{1,10}\.\d{6}$/.test(value) ? value : undefined

/** Returns the time of a message in milliseconds. */
export const timeOf = (ts: string): number => Math.floor(1_000 * Number(ts))

/** Returns a text without NUL and halves of characters, which stores refuse. */
export const textOf = (value: unknown, limit = 40_000): string =>
  typeof value === 'string'
    ? value
        .slice(0, limit)
        .replaceAll('\0', '')
        .replace(/\p{Cs}/gu, '\ufffd')
    : ''

/** Returns a number that is whole and not negative. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Returns the first of some names that is not empty. */
export function nameOf(...names: readonly unknown[]): string | undefined {
  return names.map((name) => textOf(name, NAME_LENGTH)).find((name) => name.trim() !== '')
}

/** Returns a JSON object; `undefined` for any other text. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the id of a message as chat knows it. */
export const messageIdOf = (channel: string, ts: string): string => `${channel}:${ts}`

/** Returns the channel and number of a message; `undefined` for an id that is not of Slack. */
export function partsOf(messageId: string): { readonly channel: string; readonly ts: string } | undefined {
  const [channel, ts, more] = messageId.split(':')
  const known = idOf(channel)
  return known !== undefined && tsOf(ts) !== undefined && more === undefined
    ? { channel: known, ts: ts as string }
    : undefined
}
