// The marker in the words of find and xargs that stands for what they are given.
import { HOLE, type Arg } from '../words.js'

/** A word in which a marker is replaced by one of the words that are only known when the command runs. */
export function substitute(arg: Arg, marker: string, words: readonly Arg[]): readonly Arg[] {
  if (marker === '' || !arg.shape.includes(marker)) return [arg]
  return words.map((word) => ({
    ...arg,
    text: arg.shape === marker ? word.text : arg.text,
    value: undefined,
    shape: arg.shape.replaceAll(marker, HOLE),
    pattern: arg.pattern.replaceAll(marker, word.pattern),
    sources: [...arg.sources, ...word.sources],
    splits: false,
  }))
}
