import { anyOf } from '../policy/any-of.js'

/** Characters without a shape of their own, other blanks than a space, and signs that change the letter before them. */
const UNSEEN = anyOf(/\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cc}|\p{Zl}|\p{Zp}|\p{M}/u, /(?! )\p{Zs}/u)
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
export function marked(text: string): string {
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

const nameOf = (char: string): string => `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`
