import type { Entry } from './types.js'

/** Words of one search. */
const MAX_WORDS = 8
/** Characters of an excerpt on each side of what was found. */
const BEFORE = 60
const AFTER = 140

/** A match, and the text around it. */
export interface Excerpt {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** Returns the words of a search, folded. Text in a script without spaces is one word. */
export const searchWords = (text: string): string[] => [
  ...new Set(text.trim().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).map(fold)),
]

/** Returns the text in lower case, with every character at the place that it has in the text. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('')
}

/** Returns what a person or the model said in an entry; nothing of what the host added, and nothing of tools. */
export function saidIn(entry: Entry): string | undefined {
  if (entry.kind !== 'message' || entry.role === 'tool') return undefined
  if (entry.role === 'user' && entry.meta.said !== undefined) return entry.meta.said
  const parts: readonly { readonly type: string }[] = entry.content
  return parts.map((part) => (part.type === 'text' && 'text' in part ? String(part.text) : '')).join('\n')
}

/** Whether all words occur in what was said. */
export function saysAll(entry: Entry, words: readonly string[]): boolean {
  const said = saidIn(entry)
  if (said === undefined) return false
  const folded = fold(said)
  return words.every((word) => folded.includes(word))
}

/**
 * Returns a pattern of `LIKE` for a word in stored JSON. It matches wherever the word occurs, and at times elsewhere:
 * databases ignore the case of ASCII letters alone, JSON escapes some characters, and look-alikes of our marks are
 * changed in what the model is sent, so that these are wildcards.
 */
export const likePattern = (word: string): string => `%${Array.from(word, wildcard).join('')}%`

function wildcard(letter: string): string {
  if (letter < ' ' || '"\\<>[]＜＞'.includes(letter)) return '%'
  const hasCase = letter.toLowerCase() !== letter.toUpperCase()
  return letter === '%' || (letter > '~' && hasCase) ? '_' : letter
}

/** Returns the text around the first word that occurs, in one line. */
export function excerptOf(text: string, words: readonly string[]): Excerpt {
  const line = text.replace(/\s+/g, ' ').trim()
  const folded = fold(line)
  const places = words.map((word) => ({ at: folded.indexOf(word), length: word.length })).filter(({ at }) => at >= 0)
  const { at, length } = places.sort((a, b) => a.at - b.at)[0] ?? { at: 0, length: 0 }
  const start = Math.max(0, at - BEFORE)
  const end = at + length + AFTER
  // A cut through a character of two code units would leave half of it.
  const before = line.slice(start, at).replace(/^[\udc00-\udfff]/, '')
  const after = line.slice(at + length, end).replace(/[\ud800-\udbff]$/, '')
  return {
    before: start > 0 ? `…${before}` : before,
    match: line.slice(at, at + length),
    after: end < line.length ? `${after}…` : after,
  }
}
