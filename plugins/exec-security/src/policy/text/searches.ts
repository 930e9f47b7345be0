import { hasOption } from '../parse-args.js'
import type { ParsedArgs } from '../parsed-args.js'
import { ruleMatches, ruleProblem } from '../rules.js'
import type { Arg } from '../words.js'

/** Programs that search or count without showing the whole content of files. */
export const SEARCHES = /^(?:wc|grep|egrep|fgrep|rg|md5sum|sha\d+sum|cksum|b2sum)$/
/** The part of a pattern that says more than the form of a line: letters and digits outside of classes. */
const FORM = /\\[a-zA-Z]|\[[^\]]*\]?|\{[\d,]*\}/g

/** How many lines around a match are more than its surroundings. */
const FAR = 100

/** Whether a search shows about every line that it reads. */
export function showsAll(parsed: ParsedArgs, args: readonly Arg[]): boolean {
  if (hasOption(parsed.givenOptions, 'c count l files-with-matches L files-without-match q quiet silent')) return false
  if (hasOption(parsed.givenOptions, 'v invert-match f file') || args.some(({ shape }) => /^-\d{3,}$/.test(shape)))
    return true
  return parsed.uses.some(({ effect, option, arg }) => {
    if (/^-(?:[ABC]|-(?:after-|before-)?context)$/.test(option ?? '')) return !(Number(arg.value) <= FAR)
    return (
      effect === 'text' &&
      (option === undefined || option === '-e' || option === '--regexp') &&
      (arg.value === undefined || arg.value.split('\n').some((pattern) => matchesAll(pattern, parsed)))
    )
  })
}

/** Whether a pattern is found in about every line: nothing matches it, or no letter has to. */
function matchesAll(pattern: string, { givenOptions }: ParsedArgs): boolean {
  if (
    pattern
      .replaceAll(FORM, '')
      .split('|')
      .some((part) => !/[^\W_]/.test(part))
  )
    return true
  if (hasOption(givenOptions, 'F fixed-strings')) return false
  const extended = hasOption(givenOptions, 'E extended-regexp P perl-regexp')
  // Without the option, characters have their special meaning after a backslash.
  const source = extended
    ? pattern.replace(/^\(\?[ims]+\)/, '')
    : pattern.replaceAll(/\\?[+?|(){}]/g, (sign) => (sign.startsWith('\\') ? sign.slice(1) : `\\${sign}`))
  // A pattern that cannot be read in linear time may be anything.
  const words = source.replaceAll(/\\[<>]/g, '\\b')
  return ruleProblem(words) !== undefined || ruleMatches(words, '')
}
