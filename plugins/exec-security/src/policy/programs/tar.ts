// tar: the old form of its options.
import { OptionSet } from '../option-set.js'
import { staticArg, type Arg } from '../words.js'
import type { ProgramSpec } from './program-spec.js'

/** The words with their options in the new form: of letters without a hyphen the values are the next words in order. */
export function unbundled(words: readonly Arg[], table: ProgramSpec): readonly Arg[] {
  const [first, ...rest] = words
  if (first === undefined || first.shape.startsWith('-')) return words
  const known = OptionSet.of(table)
  const options = [...first.shape].flatMap((letter) => [
    staticArg(`-${letter}`, first.text),
    ...(known.get(letter)?.kind === 'value' ? rest.splice(0, 1) : []),
  ])
  return [...options, ...rest]
}
