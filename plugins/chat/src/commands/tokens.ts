import type { Segment } from '@mynah/contract/types'
import { isForeign, renderToPlainText } from '../api/segments.js'
import { toText } from '../api/to-text.js'
import { trimInvisible, trimInvisibleEnd, trimInvisibleStart } from '../util/visible-text.js'

/** A word of a line, without its quotes and escapes. */
export interface Token {
  readonly value: string
  readonly quoted: boolean
  readonly start: number
  readonly end: number
  /** The user that a mention names. */
  readonly user?: string
}

export class UnclosedQuote extends Error {}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '「': '」' }

/** The text of a message on one line, with the positions of mentions. */
export interface Line {
  readonly text: string
  readonly mentions: ReadonlyMap<number, { readonly end: number; readonly id: string }>
}

/** Joins segments to one line. Leading quotes of messages, and mentions of the bot, are left out. */
export function lineOf(segments: readonly Segment[], selfId: string | undefined): Line {
  const only = segments[0]
  if (segments.length === 1 && only?.type === 'text')
    return { text: trimInvisible(joined(toText(only.data.text))), mentions: none }
  const mentions = new Map<number, { end: number; id: string }>()
  let text = ''
  let leading = true
  for (const part of segments) {
    if (isForeign(part)) continue
    if (part.type === 'at' && leading && selfId !== undefined && toText(part.data.id) === selfId) continue
    const plain = joined(part.type === 'text' ? toText(part.data.text) : renderToPlainText([part]))
    const piece = part.type === 'text' && text === '' ? trimInvisibleStart(plain) : plain
    if (piece !== '') leading = false
    if (part.type === 'at') mentions.set(text.length, { end: text.length + piece.length, id: toText(part.data.id) })
    text += piece
  }
  return { text: trimInvisibleEnd(text), mentions }
}
const none: Line['mentions'] = new Map()

/** A byte order mark counts as white space in JavaScript, and is invisible: it must not end a word. */
const joined = (text: string): string => text.replaceAll('\ufeff', '\u2060')

/** Returns the index after white space. */
export function afterSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

/** Returns the index after a word. */
export function afterWord(text: string, at: number): number {
  while (at < text.length && !isSpace(text.charCodeAt(at))) at++
  return at
}

// The same characters as `\s`, without a regular expression for each character.
const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0x3000 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0xfeff

/** Returns the words of a line from an index on. */
export function tokenize(line: Line, from: number): Token[] {
  const { text, mentions } = line
  const tokens: Token[] = []
  for (let at = afterSpace(text, from); at < text.length; at = afterSpace(text, at)) {
    const start = at
    const mention = mentions.get(at)
    if (mention) {
      at = mention.end
      tokens.push({ value: text.slice(start, at), quoted: false, start, end: at, user: mention.id })
      continue
    }
    const close = QUOTES[text[at] as string]
    if (close) {
      const { value, end } = quoted(text, at + 1, close)
      at = end
      tokens.push({ value, quoted: true, start, end })
      continue
    }
    at = afterWord(text, at)
    // A mention ends a word that it follows without a space.
    if (mentions.size) for (let inside = start + 1; inside < at; inside++) if (mentions.has(inside)) at = inside
    tokens.push({ value: text.slice(start, at), quoted: false, start, end: at })
  }
  return tokens
}

/** Reads up to the closing quote. A backslash escapes a quote or a backslash. */
function quoted(text: string, from: number, close: string): { value: string; end: number } {
  let value = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (character === close) return { value, end: at + 1 }
    const next = text[at + 1]
    if (character === '\\' && (next === close || next === '\\')) {
      value += next
      at++
    } else value += character
  }
  throw new UnclosedQuote()
}
