import { hasOption } from '../parse-args.js'
import type { ParsedArgs } from '../parsed-args.js'
import { couldBe, globPattern } from '../patterns.js'

/** Returns whether a program that reads everything below a folder would show a file there. */
export function showsBelow(name: string, { uses, givenOptions }: ParsedArgs, path: string): boolean {
  if (!/^(?:[ef]?grep|rg)$/.test(name)) return !/^(?:wc|md5sum|sha\d+sum|cksum|b2sum)$/.test(name)
  if (hasOption(givenOptions, 'c count l files-with-matches L files-without-match q quiet silent files')) return false
  const parts = path.split('/')
  const file = parts.at(-1) ?? ''
  // rg leaves out hidden files by itself.
  const isHidden = parts.some((part) => part.startsWith('.'))
  if (name === 'rg' && isHidden && !hasOption(givenOptions, '. hidden u unrestricted')) return false
  const values = (option: string): readonly string[] =>
    uses.filter((use) => use.option === option).map(({ arg }) => globPattern(arg.pattern))
  const includes = values('--include')
  if (includes.length > 0 && !includes.some((pattern) => couldBe(pattern, file))) return false
  // A pattern that is not written out may be any, and then it may leave out nothing.
  const leftOut = (option: string, names: readonly string[]): boolean =>
    uses.some((use) => use.option === option && names.some((one) => couldBe(globPattern(use.arg.value ?? ''), one)))
  return !leftOut('--exclude', [file]) && !leftOut('--exclude-dir', parts.slice(0, -1))
}
