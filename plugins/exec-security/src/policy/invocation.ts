import type { ArgUse, ParsedArgs } from './parsed-args.js'
import { trackedPaths } from './programs/git-paths.js'
import type { Effect } from './programs/program-spec.js'
import type { Stdin } from './redirects.js'
import { cutArg, inputArg, staticArg, type Arg } from './words.js'

/** The effects of one command, as far as its words show them. */
export interface Invocation {
  /** The base name of the program. */
  readonly name: string
  readonly args: readonly Arg[]
  /** Absent if the program has no description. */
  readonly parsed: ParsedArgs | undefined
  readonly stdin: Stdin
}

/** Folders of the host that look like words. To a program without a description they are paths. */
const HOST_FOLDER = /^(?:data|plugins)$/

/**
 * Returns the uses of a command's words. Without a description, every word that looks like a path may be read or
 * written.
 */
export function usesOf({ args, parsed, stdin }: Invocation): readonly ArgUse[] {
  if (parsed !== undefined && (parsed.unknown === undefined || parsed.spec.style === 'find')) return parsed.uses
  return (parsed?.uses ?? []).concat(
    args.flatMap((arg): readonly ArgUse[] => {
      const path = valueOf(arg)
      if (!isPathOfUnknownProgram(path)) return [{ effect: 'text', arg }]
      // A description says what is written. A device is read, unless standard input is a file to be written there.
      const isWritten = parsed === undefined && (stdin.kind === 'file' || !path.shape.startsWith('/dev/'))
      return [
        { effect: 'read', arg: path },
        ...(isWritten ? [{ effect: 'write' as const, arg: path }] : []),
        { effect: 'text', arg },
      ]
    }),
  )
}

/** Returns the paths that a word may name. */
export function pathsIn(arg: Arg, name: string, effect: Effect): readonly Arg[] {
  if (name === 'git') return trackedPaths(arg)
  if (name === 'sqlite3' && /^file:/i.test(arg.shape)) return [fileOfUri(arg)]
  return [effect === 'any' ? valueOf(arg) : arg]
}

/** Returns the path in the address of a database. One with escaped characters may be any. */
function fileOfUri(arg: Arg): Arg {
  const path = arg.shape.replace(/^file:(?:\/\/[^/]*)?/i, '').replace(/[?#][^]*$/, '')
  return path.includes('%') || arg.value === undefined ? inputArg(arg.text) : staticArg(path)
}

/** Returns what follows `name=` in a word, also where the name is an unknown option, or a path behind a letter. */
export function valueOf(arg: Arg): Arg {
  const { length } = /^(?:-[A-Za-z](?=\.{0,2}\/|~)|(?:-[^=]*=)?(?:[A-Za-z_]\w*=)?)/.exec(arg.shape)?.[0] ?? ''
  return length === 0 ? arg : cutArg(arg, length)
}

/** Returns whether a word looks like a path: it has a slash or a point, or begins like the name of a key file. */
export function isPathLike(arg: Arg): boolean {
  // The end of a git revision is not part of a path.
  const shape = arg.shape.replaceAll(/@\{[^{}]*\}/g, '')
  return /[./]|(?:^|:)id_|^~/.test(shape) && !/[\s;|&<>(){}"'`]/.test(shape)
}

/** Returns whether a program without a description may take a word for a path. */
export function isPathOfUnknownProgram(arg: Arg): boolean {
  return isPathLike(arg) || HOST_FOLDER.test(arg.shape)
}
