// ln: what a link leads to is told from the folder that the link is in.
import type { ParsedArgs } from '../parsed-args.js'
import { piecesOf, wordOf, type Arg } from '../words.js'

/** The paths that an operand of ln may lead to: from here, from the folder that it is put into, and from the one beside the link. */
export function linkedPaths(arg: Arg, { operands, uses }: ParsedArgs): readonly Arg[] {
  const link = uses.find(({ option }) => option === '-t' || option === '--target-directory')?.arg ?? operands.at(-1)
  const [from, to] = [link === undefined || link === arg ? undefined : piecesOf(link), piecesOf(arg)]
  if (from === undefined || to === undefined || arg.shape.startsWith('/')) return [arg]
  return [arg, ...['/', '/../'].map((step) => wordOf(arg.text, [...from, { token: step }, ...to]))]
}
