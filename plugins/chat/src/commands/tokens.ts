// Splitting what follows a command into words: quotes, escapes, and segments that are no text.
import type { Segment } from '@mynah/contract/types'
import { renderToPlainText } from '../api/segments.js'

/** One word as it was meant, with where it stands in the line. */
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

/** The line that a message writes, and where in it the mentions stand. */
export interface Line { readonly text: string; readonly mentions: ReadonlyMap<number, { readonly end: number; readonly id: string }> }

/** Joins segments to one line; leading quotes of other messages, and mentions of the bot itself, are left out. */
export function lineOf(segments: readonly Segment[], selfId: string | undefined): Line {
  const only = segments[0]
  if (segments.length === 1 && only?.type === 'text') return { text: String(only.data.text ?? '').trim(), mentions: none }
  const mentions = new Map<number, { end: number; id: string }>()
  let text = ''
  let leading = true
  for (const part of segments) {
    if (part.type === 'reply') continue
    if (part.type === 'at' && leading && selfId !== undefined && String(part.data.id) === selfId) continue
    const piece = part.type === 'text' ? (text === '' ? String(part.data.text ?? '').trimStart() : String(part.data.text ?? '')) : renderToPlainText([part])
    if (piece !== '') leading = false
    if (part.type === 'at') mentions.set(text.length, { end: text.length + piece.length, id: String(part.data.id ?? '') })
    text += piece
  }
  return { text: text.trimEnd(), mentions }
}
const none: Line['mentions'] = new Map()

/** The words of a line from `from` on. */
export function tokenize(line: Line, from: number): Token[] {
  const { text, mentions } = line
  const tokens: Token[] = []
  let at = from
  while (at < text.length) {
    if (/\s/.test(text[at] as string)) { at++; continue }
    const mention = mentions.get(at)
    if (mention) {
      tokens.push({ value: text.slice(at, mention.end), quoted: false, start: at, end: mention.end, user: mention.id })
      at = mention.end
      continue
    }
    const start = at
    const close = QUOTES[text[at] as string]
    let value = ''
    if (close) {
      for (at++; at < text.length && text[at] !== close; at++) {
        if (text[at] === '\\' && at + 1 < text.length && (text[at + 1] === close || text[at + 1] === '\\')) at++
        value += text[at]
      }
      if (at >= text.length) throw new UnclosedQuote()
      at++
      tokens.push({ value, quoted: true, start, end: at })
      continue
    }
    while (at < text.length && !/\s/.test(text[at] as string) && !mentions.has(at)) value += text[at++]
    tokens.push({ value, quoted: false, start, end: at })
  }
  return tokens
}
