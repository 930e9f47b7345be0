/** Characters without a shape of their own: joiners, fillers, marks of direction, selectors of variants, tags. */
const SELECTORS = '\\ufe00-\\ufe0f\\u{e0000}-\\u{e01ef}'
const ALONE = '\\u00ad\\u034f\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202c\\u2060-\\u2064\\u2066-\\u2069\\ufeff'

const shapeless = new RegExp(`[${ALONE}${SELECTORS}]`, 'u')
const allShapeless = new RegExp(`[${ALONE}${SELECTORS}]+`, 'gu')
// An emoji at the end keeps its selector.
const atEnd = new RegExp(`[\\s${ALONE}]`, 'u')
/** Direction is forced by these two, so that a text is read in another order than it is written. */
const OVERRIDES = /[\u202d\u202e]/

/** Returns ASCII for the full-width forms that input methods write. */
const halfWidth = (text: string): string =>
  text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

/** Returns the character at an index, which may be a pair. */
const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) as number)

/** Returns a word as it is read: without invisible characters, and with ASCII for full-width forms. */
export const visibleWord = (word: string): string => halfWidth(word.replaceAll(allShapeless, ''))

/** Returns whether a text forces an order in which it is read as another text. */
export const isReordered = (text: string): boolean => OVERRIDES.test(text)

/** Returns the text without white space and invisible characters at its ends. */
export const trimInvisible = (text: string): string => trimInvisibleEnd(trimInvisibleStart(text))

/** Returns the text without white space and invisible characters at its start. */
export function trimInvisibleStart(text: string): string {
  let from = 0
  while (from < text.length) {
    const character = characterAt(text, from)
    if (!/\s/.test(character) && !shapeless.test(character)) break
    from += character.length
  }
  return text.slice(from)
}

/** Returns the text without white space and invisible characters at its end. */
export function trimInvisibleEnd(text: string): string {
  let to = text.length
  while (to > 0 && atEnd.test(text[to - 1] as string)) to--
  return text.slice(0, to)
}

/** Returns the length of the start of a text that is read as `prefix`, or 0. */
export function prefixLength(text: string, prefix: string): number {
  if (text.startsWith(prefix)) return prefix.length
  let at = 0
  for (const expected of prefix) {
    let character = ''
    do {
      if (at >= text.length) return 0
      character = characterAt(text, at)
      at += character.length
    } while (character !== expected && shapeless.test(character))
    if (character !== expected && halfWidth(character) !== expected) return 0
  }
  return at
}
