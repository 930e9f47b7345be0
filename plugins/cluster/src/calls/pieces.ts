// The payload of a notification has less than 8,000 bytes: longer texts are sent in pieces.
import { LruMap } from '@mynah/kernel/util'

const PIECE_LENGTH = 7_000
/** Texts that are longer are not sent. */
export const MAX_LENGTH = 4 * 1_048_576
/** Texts whose pieces are still arriving. The oldest one is forgotten where there are more. */
const MAX_OPEN = 256

/**
 * Returns the payloads of a value.
 *
 * @param id names it, without spaces
 * @throws RangeError if it is too long
 */
export function piecesOf(id: string, value: unknown): string[] {
  // Characters of one byte each, so that a text can be cut anywhere.
  const text = JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (text.length > MAX_LENGTH) throw new RangeError(`It has ${text.length} bytes, more than ${MAX_LENGTH}`)
  const count = Math.max(1, Math.ceil(text.length / PIECE_LENGTH))
  return Array.from(
    { length: count },
    (_, index) => `${id} ${index} ${count} ${text.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH)}`,
  )
}

/** Puts values together. Pieces of one value arrive in order, among those of others. */
export class Pieces {
  readonly #open = new LruMap<string, string[]>(MAX_OPEN)

  /** Adds a payload. Returns the value that it completes. */
  add(payload: string): { readonly value: unknown } | undefined {
    const [, id = '', index = '', count = '', text = ''] = /^(\S+) (\d+) (\d+) (.*)$/s.exec(payload) ?? []
    const parts = this.#open.get(id) ?? []
    // A piece was lost with a connection: the whole value is.
    if (id === '' || Number(index) !== parts.length) return this.#forget(id)
    parts.push(text)
    if (parts.length < Number(count)) {
      this.#open.set(id, parts)
      return undefined
    }
    this.#open.delete(id)
    return { value: JSON.parse(parts.join('')) as unknown }
  }

  #forget(id: string): undefined {
    this.#open.delete(id)
  }
}
