import { At, Text, type Segment } from '@mynah/plugin-chat/api'
import { spellingsOf } from './case-mapping.js'

const FORMATTING = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[0-9a-f]{6}(?:,[0-9a-f]{6})?)?|[\x00-\x08\x0a-\x1f\x7f]/gi

/** Returns the text without colours, styles and other control characters. */
export function stripFormatting(text: string): string {
  return text.replace(FORMATTING, '')
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Returns the start of the character at an index. Characters may have any number of marks. */
function boundary(text: string, index: number): number {
  const start = graphemes.segment(text).containing(index)?.index ?? index
  if (start > 0) return start
  return /[\ud800-\udbff]/.test(text[index - 1] ?? '') ? index - 1 : index
}

/** Cuts a text into pieces of at most `limit` bytes, between words where possible and never within a character. */
function cut(text: string, limit: number): string[] {
  const pieces: string[] = []
  let from = 0
  while (from < text.length) {
    // Every character has at least one byte.
    let piece = text.slice(from, from + limit)
    while (Buffer.byteLength(piece) > limit)
      piece = piece.slice(0, -Math.max(1, Math.ceil((Buffer.byteLength(piece) - limit) / 4)))
    if (from + piece.length < text.length) {
      const space = text[from + piece.length] === ' ' ? piece.length : piece.lastIndexOf(' ')
      // A space early in the line would make short lines, so that the word is cut.
      const end = space > piece.length / 2 ? space : boundary(text.slice(from, from + piece.length + 1), piece.length)
      piece = piece.slice(0, end)
    }
    from += piece.length
    while (text[from] === ' ') from++
    pieces.push(piece.trimEnd())
  }
  return pieces.filter((line) => line.trim() !== '')
}

/** Returns the lines of a text, each of at most `limit` bytes. Empty lines are left out, since IRC has none. */
export function linesOf(text: string, limit: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const clean = line.replaceAll('\0', '')
    if (clean.trim() === '') return []
    return Buffer.byteLength(clean) <= limit ? [clean] : cut(clean, limit)
  })
}

/** Characters that may be part of a nick. */
const PART = '[\\p{L}\\p{N}_\\[\\]\\\\`^{}|-]'

/** Finds the bot's nick in a text, as the address at the start or as a word. */
export class Mentions {
  readonly #nick: string
  readonly #address: RegExp
  readonly #word: RegExp

  /** @param mapping the `CASEMAPPING` of the server, which decides how a nick may be written */
  constructor(nick: string, mapping: unknown = 'rfc1459') {
    this.#nick = nick
    const spellings = spellingsOf(nick, mapping)
    this.#address = new RegExp(`^@?${spellings}(?:[:,]\\s*|\\s+(?=\\S)|\\s*$)`, 'iu')
    this.#word = new RegExp(`(?<!${PART})${spellings}(?!${PART})`, 'iu')
  }

  /** Returns the text as segments, with the address as a mention, and whether it has the nick. */
  read(text: string): { readonly content: Segment[]; readonly mentioned: boolean } {
    const address = this.#address.exec(text)
    if (address) {
      const rest = text.slice(address[0].length)
      return { content: [At(this.#nick, this.#nick), ...(rest === '' ? [] : [Text(` ${rest}`)])], mentioned: true }
    }
    return { content: [Text(text)], mentioned: this.#word.test(text) }
  }
}
