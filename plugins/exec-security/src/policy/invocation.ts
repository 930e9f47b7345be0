import type { ArgUse, ParsedArgs } from './parsed-args.js'
import { trackedPaths } from './programs/git-paths.js'
import { fileOfAddress } from './programs/file-addresses.js'
import type { Effect } from './programs/program-spec.js'
import type { Stdin } from './redirects.js'
import { cutArg, staticArg, type Arg } from './words.js'

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
    args.flatMap((arg, i): readonly ArgUse[] => {
      const path = valueOf(arg)
      const folder = folderGiven(arg, args[i - 1])
      const entered = folder === undefined ? [] : [{ effect: 'chdir' as const, arg: folder, option: '-C' }]
      if (!isPathOfUnknownProgram(path)) return [...entered, { effect: 'text', arg }]
      // A description says what is written. A device is read, unless standard input is a file to be written there.
      const isWritten = parsed === undefined && (stdin.kind === 'file' || !path.shape.startsWith('/dev/'))
      return [
        ...entered,
        { effect: 'read', arg: path },
        ...(isWritten ? [{ effect: 'write' as const, arg: path }] : []),
        { effect: 'text', arg },
      ]
    }),
  )
}

/** Options with which many programs enter a folder before they read other words. */
const ENTERS = /^(?:-[CDd]|--(?:chdir|cwd|wd|wdir|workdir|directory|working-dir(?:ectory)?))(?:=|$)/

/** Returns the folder that an option of a program without a description names. */
function folderGiven(arg: Arg, before: Arg | undefined): Arg | undefined {
  const attached = ENTERS.exec(arg.shape)?.[0] ?? ''
  const given = attached.endsWith('=') ? cutArg(arg, attached.length) : arg
  const isGiven = attached.endsWith('=') || (ENTERS.test(before?.shape ?? '') && before?.shape.includes('=') === false)
  return isGiven && given.value !== undefined && !given.value.startsWith('-') ? given : undefined
}

/** Returns the paths that a word may name. */
export function pathsIn(arg: Arg, name: string, effect: Effect): readonly Arg[] {
  const file = fileOfAddress(arg)
  if (file !== undefined) return [file]
  if (name === 'git' && effect !== 'setting') return trackedPaths(arg)
  if (name === 'socat') return socketPaths(arg)
  if (effect === 'any') return [valueOf(arg)]
  return effect === 'deny' || effect === 'setting' ? [arg, settingOf(arg)] : [arg]
}

/** Returns what follows the first `=` of a setting. */
const settingOf = (arg: Arg): Arg => cutArg(arg, arg.shape.indexOf('=') + 1)

/** Returns the paths in an address of socat: `TYPE:path,options`, or two of them that become one. */
function socketPaths(arg: Arg): readonly Arg[] {
  if (arg.value === undefined) return [cutArg(arg, arg.shape.indexOf(':') + 1)]
  return arg.value.split('!!').map((address) => staticArg(address.replace(/^[\w-]*:/, '').replace(/,[^]*$/, '')))
}

/** Returns what follows `name=` in a word, also where the name is an unknown option, or a path behind a letter. */
export function valueOf(arg: Arg): Arg {
  const { length } =
    /^(?:@(?=\.{0,2}\/)|-[A-Za-z](?=\.{0,2}\/|~)|(?:-[^=]*=)?(?:[A-Za-z_]\w*=)?)/.exec(arg.shape)?.[0] ?? ''
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
