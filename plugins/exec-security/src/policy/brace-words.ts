import { bracedTexts } from './brace-lists.js'

const MAX_WORDS = 64
/** Private characters, each in place of a part of a word that is not plain text. */
const FIRST = 0xe000
const LAST = 0xf8ff
const PRIVATE = /[\ue000-\uf8ff]/g

/** A part of a word that brace lists see as one character: quoted, escaped or computed. */
interface OpaquePart<P> {
  readonly text: string
  readonly pieces: readonly P[]
}
/** A part of a word: text without quotes, or an opaque one. */
export type BracePart<P> = { readonly raw: string } | OpaquePart<P>

/** One of the words of a brace list, with its source text. Strings among the pieces are plain text. */
export interface BracedWord<P> {
  readonly text: string
  readonly pieces: readonly (P | string)[]
}

/**
 * Returns the words that bash makes of one with brace lists, `unknown` where there are too many or a sequence, or
 * undefined where there is no list. A parser may find less: a brace without a comma does not close a list.
 */
export function bracedWords<P>(parts: readonly BracePart<P>[]): readonly BracedWord<P>[] | 'unknown' | undefined {
  const opaque: OpaquePart<P | string>[] = []
  const replace = (text: string, pieces: readonly (P | string)[]): string =>
    String.fromCharCode(FIRST + opaque.push({ text, pieces }) - 1)
  const skeleton = parts
    .map((part) =>
      'raw' in part
        ? part.raw.replaceAll(/\\([^])/g, (text, char: string) => replace(text, char === '\n' ? [] : [char]))
        : replace(part.text, part.pieces),
    )
    .join('')
  if (!/\{[^]*(?:,|\.\.)[^]*\}/.test(skeleton)) return undefined
  if (opaque.length > LAST - FIRST || parts.some((part) => 'raw' in part && part.raw.search(PRIVATE) >= 0))
    return 'unknown'
  const texts = bracedTexts(skeleton, MAX_WORDS)
  if (texts === undefined) return 'unknown'
  if (texts.length === 1 && texts[0] === skeleton) return undefined
  const partOf = (char: string): OpaquePart<P | string> | undefined => opaque[char.charCodeAt(0) - FIRST]
  return texts
    .filter((text) => text !== '')
    .map((text) => ({
      text: text.replaceAll(PRIVATE, (char) => partOf(char)?.text ?? ''),
      pieces: text
        .split(/([\ue000-\uf8ff])/)
        .flatMap((piece, i) => (i % 2 === 1 ? (partOf(piece)?.pieces ?? []) : piece)),
    }))
}
