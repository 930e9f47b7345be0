import { cutArg, type Arg } from '../words.js'

/** Returns the paths that a word of git may name: a path may follow a revision, and characters may precede it. */
export function trackedPaths(arg: Arg): readonly Arg[] {
  const signs = /^:(?:\([^)]*\)|[/!^]+)/.exec(arg.shape)?.[0].length ?? 0
  if (signs > 0) return [cutArg(arg, signs)]
  const colon = arg.shape.includes('://') ? -1 : arg.shape.indexOf(':')
  return colon < 0 ? [arg] : [arg, cutArg(arg, colon + 1)]
}
