// Frames of OneBot 11. A server may be of any kind and send anything.

export type Frame = Readonly<Record<string, unknown>>

/** Longest name of a person or a chat. */
const NAME_LENGTH = 512
/** Ids as numbers that JavaScript would round. */
const LARGE_ID = /("(?:\w{1,32}_)?id"\s{0,8}:\s{0,8})(-?\d{16,20})(?=\s{0,8}[,}\]])/g

export const isRecord = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a frame; `undefined` for text that is no JSON object. Ids beyond 2^53 are read as text. */
export function parseFrame(text: string): Frame | undefined {
  try {
    const frame: unknown = JSON.parse(text.replace(LARGE_ID, '$1"$2"'))
    return isRecord(frame) ? frame : undefined
  } catch {
    return undefined
  }
}

/** Returns an id, which servers write as a number or as text. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' && /^[\w@.-]{1,64}$/.test(value) ? value : undefined
}

/** Returns an id as the standard writes it: a number, where JavaScript has it. */
export function wireId(id: string): number | string {
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? number : id
}

/** Returns a text without NUL characters, which stores refuse. */
export const textOf = (value: unknown, limit: number): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, limit).replaceAll('\0', '') : ''

/** Returns the first of some names that is not empty. */
export function nameOf(...names: readonly unknown[]): string | undefined {
  for (const name of names) {
    const text = textOf(name, NAME_LENGTH)
    if (text.trim() !== '') return text
  }
  return undefined
}

/** Returns a time in milliseconds; `undefined` for what is no time in seconds. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 8_640_000_000_000
    ? value * 1000
    : undefined
}

/** Ids are unique within the account, and have their chat in front. */
export const messageIdOf = (chat: string, message: string): string => `${chat}:${message}`

/** Returns the id that the server knows a message by; `undefined` for a message of another chat. */
export function serverIdOf(chat: string, id: string): string | undefined {
  return id.startsWith(`${chat}:`) ? idOf(id.slice(chat.length + 1)) : undefined
}
