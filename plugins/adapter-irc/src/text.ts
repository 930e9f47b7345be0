// Text on IRC: formatting codes, lines of at most 512 bytes, and names in what is said.
import { At, Text, type Segment } from '@mynah/plugin-chat/api'

const FORMATTING = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[0-9a-f]{6}(?:,[0-9a-f]{6})?)?|[\x00-\x08\x0a-\x1f\x7f]/gi

/** The text without colours, weights and other control characters. */
export function stripFormatting(text: string): string {
  return text.replace(FORMATTING, '')
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Cuts a text between characters so that no piece is longer than `limit` bytes, between words where it can. */
function cut(text: string, limit: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let bytes = 0
  /** Length of `piece` up to and including the last space in it. */
  let space = 0
  const add = (part: string): void => {
    const size = Buffer.byteLength(part)
    if (bytes + size > limit) {
      // A space early in the line would make for short lines: then the word is cut.
      const keep = part !== ' ' && space > piece.length / 2 ? space : piece.length
      pieces.push(piece.slice(0, keep).trimEnd())
      piece = piece.slice(keep).trimStart()
      bytes = Buffer.byteLength(piece)
      space = 0
      if (part === ' ') return
    }
    piece += part
    bytes += size
    if (part === ' ') space = piece.length
  }
  for (const { segment } of graphemes.segment(text)) {
    // Characters can be of any length: letters carry as many marks as one likes.
    if (Buffer.byteLength(segment) > limit) for (const point of segment) add(point)
    else add(segment)
  }
  pieces.push(piece)
  return pieces.filter((line) => line.trim() !== '')
}

/** The lines of a text, none longer than `limit` bytes; empty ones are left out, as IRC has none. */
export function linesOf(text: string, limit: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const clean = line.replaceAll('\0', '')
    if (clean.trim() === '') return []
    return Buffer.byteLength(clean) <= limit ? [clean] : cut(clean, limit)
  })
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
/** What may be part of a nick: beside it a name is another name. */
const PART = '[\\p{L}\\p{N}_\\[\\]\\\\`^{}|-]'

/** Finds the bot's name in what was said: as the address at the beginning, or as a word. */
export class Mentions {
  readonly #nick: string
  readonly #address: RegExp
  readonly #word: RegExp

  constructor(nick: string) {
    this.#nick = nick
    this.#address = new RegExp(`^@?${escape(nick)}(?:[:,]\\s*|\\s+(?=\\S)|\\s*$)`, 'iu')
    this.#word = new RegExp(`(?<!${PART})${escape(nick)}(?!${PART})`, 'iu')
  }

  /** The text as segments, the address being a mention, and whether the bot is named at all. */
  read(text: string): { readonly content: Segment[]; readonly mentioned: boolean } {
    const address = this.#address.exec(text)
    if (address) {
      const rest = text.slice(address[0].length)
      return { content: [At(this.#nick, this.#nick), ...(rest === '' ? [] : [Text(` ${rest}`)])], mentioned: true }
    }
    return { content: [Text(text)], mentioned: this.#word.test(text) }
  }
}
