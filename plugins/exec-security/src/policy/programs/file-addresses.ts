import { HOLE, cutArg, inputArg, piecesOf, wordOf, type Arg } from '../words.js'

/** The beginning of the address of a file, up to its path. curl expands lists and ranges in the scheme as well. */
const BEFORE_PATH =
  /^(?:(?:[a-z]+\+)?(?:file|link|portal):|[a-z]*[{[][^/:]*:(?=\/\/))(?:\/\/(?:localhost(?=[/\0])|[^/\0]*(?=\/))?)?/i
/** Lists and ranges that curl expands, and ones that do not end in the same piece. */
const LISTS = /\{[^{}]*\}|\[[^[\]]*\]|[{[][^]*$/g

/** Returns the path in the address of a file: its escaped characters are decoded, and its lists may become any text. */
export function fileOfAddress(arg: Arg): Arg | undefined {
  const before = BEFORE_PATH.exec(arg.shape)?.[0]
  if (before === undefined) return undefined
  const pieces = piecesOf(cutArg(arg, before.length))
  if (pieces === undefined) return inputArg(arg.text)
  return wordOf(
    arg.text,
    pieces.flatMap((piece) => {
      if (piece.source !== undefined) return [piece]
      const texts = decoded(piece.token.replace(/[?#][^]*$/, ''))
        .replaceAll(LISTS, HOLE)
        .split(/(\0)/)
      return texts.map((token) => (token === HOLE ? { token, source: 'glob' as const } : { token }))
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Bytes that are no text: any name may have them.
    return text.replaceAll(/(?:%[\da-f]{2})+/gi, HOLE)
  }
}
