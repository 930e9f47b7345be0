import { anyOf } from '../policy/any-of.js'

/** Characters without a shape of their own, other blanks than a space, and signs that change the letter before them. */
const UNSEEN = anyOf(
  /\p{Default_Ignorable_Code_Point}|\p{C}|\p{Zl}|\p{Zp}|\p{M}|(?! )\p{Zs}/u,
  // Signs and letters by their kind, and blank in every font: braille, an object, a note, hieroglyphs.
  /[\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/u,
)
/** Letters of scripts that have some like those of Latin. */
const ALIKE = anyOf(
  /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}|\p{Script=Coptic}|\p{Script=Lisu}/u,
  /\p{Script=Deseret}|\p{Script=Georgian}|\p{Script=Glagolitic}|\p{Script=Tifinagh}|\p{Script=Vai}/u,
)
const LATIN = /\p{Script=Latin}/u

/**
 * Returns a text in which every character that may deceive its reader is named, as `‹U+3164›`: what is not seen, and
 * what looks like another letter among those of another script. Lines and tabs stay.
 */
export const marked = (text: string): string => replaced(text, (char) => `‹U+${hexOf(char).padStart(4, '0')}›`)

/** The same on one line: nothing in it can pass for a line of ours. */
export const markedLine = (text: string): string => marked(text).replaceAll('\n', ' ⏎ ')

/** Returns a pattern of a rule in which such a character is written by its number. It matches the same. */
export const markedPattern = (pattern: string): string => replaced(pattern, (char) => `\\x{${hexOf(char)}}`)

function replaced(text: string, nameOf: (char: string) => string): string {
  if (/^[\t\n\u0020-\u007e]*$/.test(text)) return text
  return text.replaceAll(/[^\s!-,:-@[-^`{-~]+|[^]/gu, (word) => {
    const isMixed = LATIN.test(word) && ALIKE.test(word)
    return Array.from(word, (char) => (deceives(char, isMixed) ? nameOf(char) : char)).join('')
  })
}

function deceives(char: string, isMixed: boolean): boolean {
  if (/[\t\n\u0020-\u007e]/.test(char)) return false
  if (UNSEEN.test(char) || (isMixed && ALIKE.test(char))) return true
  // Wide and mathematical letters stand for those of ASCII.
  return /^[\u0021-\u007e]+$/.test(char.normalize('NFKC'))
}

const hexOf = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase()
