import type { ParsedArgs } from '../parsed-args.js'
import { piecesOf, wordOf, type Arg } from '../words.js'

/**
 * Returns the paths that an operand of ln may lead to: from the working directory, from the folder of the link, and
 * from its parent.
 */
export function linkedPaths(arg: Arg, { operands, uses }: ParsedArgs): readonly Arg[] {
  const link = uses.find(({ option }) => option === '-t' || option === '--target-directory')?.arg ?? operands.at(-1)
  const [from, to] = [link === undefined || link === arg ? undefined : piecesOf(link), piecesOf(arg)]
  if (from === undefined || to === undefined || arg.shape.startsWith('/')) return [arg]
  return [arg, ...['/', '/../'].map((step) => wordOf(arg.text, [...from, { token: step }, ...to]))]
}
