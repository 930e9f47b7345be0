// Decides on a command whose words its table explains: what each of them means, and whether a list covers that.
import { mentionsHost, reachesHost, denyAddress } from './addresses.js'
import { denyCode, denyProtectedCode } from './programs/code.js'
import { denyDownload, denyDefaultTarget } from './programs/downloads.js'
import type { ParsedArgs, ArgUse } from './parsed-args.js'
import { hasOption } from './parse-args.js'
import type { Access, PathRules } from './path-rules.js'
import { globPattern } from './patterns.js'
import { trackedPaths } from './programs/git.js'
import { linkedPaths } from './programs/ln-links.js'
import { denyMount, denyProtectedMount } from './programs/mounts.js'
import { denyGitConfig, denySetting } from './programs/settings.js'
import { SEARCHES, showsAll } from './programs/searches.js'
import { denyUpload } from './programs/uploads.js'
import type { Stdin } from './redirects.js'
import { firstReason } from './first-reason.js'
import { HOLE, cutArg, displayShape, mayBeOption, staticArg, type Arg } from './words.js'

const NEVER: readonly ArgUse['effect'][] = []
/** What an option may do that a name of a file must not turn out to be: anyone may have chosen it. */
const HARMFUL_NAME: readonly ArgUse['effect'][] = ['program', 'spill', 'fetch']
/** The same for text that a command writes. */
const HARMFUL: readonly ArgUse['effect'][] = [...HARMFUL_NAME, 'never', 'shell', 'code', 'script', 'setting']

const PATH_EFFECTS: Readonly<Partial<Record<ArgUse['effect'], Access>>> = {
  read: 'read',
  tree: 'tree',
  list: 'list',
  walk: 'walk',
  enter: 'enter',
  write: 'write',
  fetch: 'write',
  spill: 'write',
  names: 'read',
  script: 'read',
}

/** Names that are paths to a program of which nothing is known, although they look like words. */
const DECIDING = /^(?:data|plugins)$/

/** What one command does, as far as its words tell. */
export interface Invocation {
  /** The base name of the program. */
  readonly name: string
  readonly args: readonly Arg[]
  /** Absent where no table describes the program. */
  readonly parsed: ParsedArgs | undefined
  readonly stdin: Stdin
}

/** Why a command touches what decides over the host itself, in any mode, or undefined. */
export function denyProtected(invocation: Invocation, paths: PathRules, ports: readonly number[]): string | undefined {
  const { name, parsed } = invocation
  const reaches = `${name} may reach this host itself`
  if (
    parsed?.spec.network === true &&
    parsed.uses.some(
      ({ effect, arg: { value } }) => effect !== 'sent' && value !== undefined && ports.includes(Number(value)),
    )
  )
    return reaches
  const fed =
    parsed?.spec.input !== undefined && invocation.stdin.kind === 'text'
      ? denyProtectedCode(invocation.stdin.text, name, paths)
      : undefined
  if (fed !== undefined) return fed
  const edits = parsed?.spec.edits !== undefined && !hasOption(parsed.givenOptions, parsed.spec.edits)
  return firstReason(usesOf(invocation), ({ effect, arg, option }) => {
    const inside = option === '-C' && /^(?:git|go|cargo|g?make)$/.test(name)
    if (inside) paths.chdir(arg)
    const shown = effect === 'setting' && /^(?:ps|top)$/.test(name) ? denySetting(arg, name, []) : undefined
    const problem =
      shown ??
      firstReason(
        name === 'ln' && option === undefined && parsed !== undefined
          ? linkedPaths(arg, parsed)
          : pathsIn(arg, name, effect),
        (path) => {
          const access =
            PATH_EFFECTS[effect] ??
            (effect === 'address' && !/[:@]/.test(arg.shape)
              ? 'tree'
              : effect === 'text' && parsed?.spec.open === true && looksLikePath(path)
                ? 'read'
                : undefined)
          const changed =
            ((edits || name !== 'git') && inside) ||
            (edits && access !== undefined && option === undefined) ||
            ((effect === 'any' || (effect === 'text' && parsed?.subcommandPath[0] === 'submodule')) &&
              (looksLikePath(path) || DECIDING.test(path.shape)))
          return (
            (access === undefined ? undefined : paths.denyProtected(path, access)) ??
            (changed ? paths.denyProtected(path, 'write') : undefined)
          )
          // The shell itself reads the names that a pattern stands for.
        },
      ) ??
      (effect === 'mount'
        ? denyProtectedMount(arg, paths)
        : arg.sources.includes('glob')
          ? paths.denyProtected(arg, 'list')
          : undefined)
    if (problem !== undefined) return problem
    if (effect === 'code')
      return denyProtectedCode(arg.shape, name, paths) ?? (mentionsHost(arg.shape, ports) ? reaches : undefined)
    const file = effect === 'address' ? /^file:(?:\/\/(?:localhost(?=\/))?)?/i.exec(arg.shape)?.[0].length : undefined
    if (effect === 'address')
      return file !== undefined
        ? paths.denyProtected(cutArg(arg, file), 'read')
        : reachesHost(arg, ports)
          ? `${displayShape(arg)} may be this host itself`
          : undefined
    if (effect === 'sent') {
      let sent: string | undefined
      denyUpload(arg, option ?? '', (file) => (sent ??= paths.denyProtected(file, 'read')))
      return sent
    }
    return !/^(?:grep|echo|printf)$/.test(name) && mentionsHost(arg.shape, ports) ? reaches : undefined
  })
}

const pathsIn = (arg: Arg, name: string, effect: ArgUse['effect']): readonly Arg[] =>
  name === 'git' ? trackedPaths(arg) : [effect === 'any' ? valueOf(arg) : arg]

/** What stands behind a name, be it that of an option which no table knows. */
function valueOf(arg: Arg): Arg {
  const { length } = /^(?:-[^=]*=)?(?:[A-Za-z_]\w*=)?/.exec(arg.shape)?.[0] ?? ''
  return length === 0 ? arg : cutArg(arg, length)
}

/** Why a list does not cover a command, or undefined. */
export function denyReason(invocation: Invocation, paths: PathRules): string | undefined {
  const { name, parsed } = invocation
  if (parsed === undefined)
    return firstReason(usesOf(invocation), ({ effect, arg }) =>
      would(name, 'touch', paths.deny(arg, effect === 'write' ? 'list' : 'read')),
    )
  if (parsed.unknown !== undefined) return `the argument ${parsed.unknown} of ${name} is not known`
  if (
    parsed.uncertain !== undefined &&
    parsed.spec.verbatim !== true &&
    (parsed.spec.tolerant !== true ||
      parsed.uncertain.sources.some((source) =>
        (source === 'command' || source === 'input' ? HARMFUL : source === 'glob' ? HARMFUL_NAME : NEVER).some(
          (effect) => parsed.effects.has(effect),
        ),
      ))
  )
    return `the argument ${parsed.uncertain.text} of ${name} may turn out to be an option`
  const configured =
    name === 'git' && parsed.subcommandPath[0] === 'config'
      ? denyGitConfig(parsed.operands, parsed.givenOptions)
      : undefined
  return (
    configured ??
    firstReason(parsed.uses, (use) => denyUse(use, invocation, parsed, paths)) ??
    denyStdin(invocation, parsed, paths) ??
    denyDefaultTarget(name, parsed, paths)
  )
}

function denyUse(use: ArgUse, invocation: Invocation, parsed: ParsedArgs, paths: PathRules): string | undefined {
  const { effect, arg, option } = use
  const { name } = invocation
  switch (effect) {
    case 'text':
      return parsed.spec.words === true || parsed.spec.open === true ? denyWord(arg, name, paths) : undefined
    case 'any':
      return denyWord(arg, name, paths)
    case 'query':
    case 'remote':
    case 'shell':
      return undefined
    case 'read':
    case 'tree':
    case 'list':
    case 'walk':
    case 'enter':
    case 'write': {
      const [path = arg] = pathsIn(arg, name, effect)
      if (arg.shape === '-' || (option === undefined && parsed.spec.words === true && !looksLikePath(path)))
        return undefined
      if (effect === 'write' && option === undefined && arg.shape.startsWith('-'))
        return `${name} may take ${displayShape(arg)} for an option`
      const searches = SEARCHES.test(name) && effect === 'read'
      const problem = would(
        name,
        effect === 'write' ? 'write' : effect === 'read' || effect === 'tree' ? 'read' : 'look into',
        paths.deny(path, searches ? 'search' : effect),
      )
      if (problem !== undefined) return problem
      const all =
        effect === 'tree' || searches
          ? !SEARCHES.test(name) || (/grep|rg/.test(name) && showsAll(parsed, invocation.args))
          : effect === 'write' &&
            option === undefined &&
            name !== 'git' &&
            !(parsed.spec.into === true && parsed.operands.length > 1 && arg === parsed.operands.at(-1))
      return (all ? paths.isWide(arg) : effect === 'read' && !searches && name !== 'git' && paths.isAny(arg))
        ? `${name} would take everything below ${displayShape(arg)}`
        : undefined
    }
    case 'fetch':
      return would(
        name,
        'write',
        arg.shape === '-'
          ? undefined
          : (paths.deny(arg, 'write') ??
              denyDownload(arg, /^-(?:P|-directory-prefix|-output-dir)$/.test(option ?? ''))),
      )
    case 'script': {
      const listed = arg.sources.every((source) => source === 'glob') && !mayBeOption(arg)
      if (
        !listed &&
        (arg.sources.some((source) => source !== 'variable' && source !== 'arithmetic') || arg.shape === HOLE)
      )
        return `the file that ${name} runs is only known when it runs`
      if (/^(?!file:|node:)[a-z][\w+-]+:/i.test(arg.shape)) return `${name} would run ${displayShape(arg)}`
      return would(name, 'run', paths.deny(arg, 'read'))
    }
    case 'code':
      return denyCode(arg, name, paths)
    case 'address':
      return (
        denyAddress(arg, name) ??
        (looksLikePath(arg) && !arg.shape.includes('://') && !/^(?!\.{1,2}\/)[\w.-]+(?::\d+)?(?:\/|$)/.test(arg.shape)
          ? would(name, 'touch', paths.deny(arg, 'tree'))
          : undefined)
      )
    case 'sent': {
      if (/^-(?:T|-upload-file)$/.test(option ?? '') && /[[{]/.test(arg.shape))
        return `${name} would send ${displayShape(arg)}, which is a pattern`
      return would(
        name,
        'send',
        denyUpload(
          arg,
          option ?? '',
          (file) =>
            paths.deny(file, 'read') ??
            (paths.isLocal(file) ? undefined : `${displayShape(file)} is outside the working directory`),
        ),
      )
    }
    case 'setting':
      return denySetting(arg, name, parsed.subcommandPath)
    case 'spill':
      return `${name} ${option ?? ''} would write ${displayShape(arg)}`
    case 'names': {
      const pattern = globPattern(arg.pattern)
      return would(name, 'read what may hold credentials:', paths.deny({ ...arg, pattern, shape: pattern }, 'search'))
    }
    case 'mount':
      return denyMount(arg, name, paths)
    case 'program':
      return `${name} ${option ?? parsed.subcommandPath.join(' ')} would run ${displayShape(arg)}`
    case 'never':
      // An empty value switches something off.
      if (arg.value === '' && option !== undefined) return undefined
      return `${name} ${option ?? [...parsed.subcommandPath, displayShape(arg)].join(' ')} is not covered`
    default:
      effect satisfies never
      return `a word of ${name} that is not understood`
  }
}

/** What a program reads from its standard input where no file or code is given. */
function denyStdin(invocation: Invocation, parsed: ParsedArgs, paths: PathRules): string | undefined {
  const { name, stdin } = invocation
  const given =
    parsed.spec.input !== 'shell' &&
    (parsed.uses.some(({ effect }) => effect === 'code' || effect === 'script') || parsed.givenOptions.has('-m'))
  const fromInput =
    !given || parsed.operands[0]?.shape === '-' || /^\/dev\/(?:stdin|fd\/0)$/.test(parsed.operands[0]?.shape ?? '')
  if (parsed.spec.input === undefined || !fromInput) return undefined
  if (stdin.kind === 'unknown' || stdin.kind === 'paths' || (stdin.kind === 'file' && parsed.spec.input === 'shell'))
    return `${name} would run code that is only known when it runs`
  return stdin.kind === 'text' ? denyCode(staticArg(stdin.text), name, paths) : undefined
}

/** A word that may be a path, where other words are possible too. */
function denyWord(arg: Arg, name: string, paths: PathRules): string | undefined {
  if (arg.shape.startsWith('-') && !arg.shape.includes('=')) return undefined
  const given = valueOf(arg)
  if (/^git\+(?!https?:|ssh:)/i.test(given.shape)) return `${name} would take ${displayShape(given)}`
  const word = /^(?:file|link|portal):(?!\/\/)/.test(given.shape) ? cutArg(given, given.shape.indexOf(':') + 1) : given
  if (word !== given) return would(name, 'touch', paths.deny(word, 'tree'))
  if (!looksLikePath(word) || /^[a-z][a-z\d+.-]*:\/\//i.test(word.shape)) return undefined
  return would(name, 'touch', paths.deny(word, 'read'))
}

const would = (name: string, does: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${name} would ${does} ${problem}`

/** Only what holds a slash or a point, or begins as names of keys do, looks like a path; patterns and texts with blanks do not. */
export function looksLikePath(arg: Arg): boolean {
  // The end of a revision of git is no part of it.
  const shape = arg.shape.replaceAll(/@\{[^{}]*\}/g, '')
  return /[./]|(?:^|:)id_|^~/.test(shape) && !/[\s;|&<>(){}"'`]/.test(shape)
}

/** The uses of a command's words; where a table does not tell, every word that looks like a path may be read or written. */
function usesOf({ args, parsed, stdin }: Invocation): readonly ArgUse[] {
  if (parsed !== undefined && (parsed.unknown === undefined || parsed.spec.style === 'find')) return parsed.uses
  return (parsed?.uses ?? []).concat(
    args.flatMap((arg): readonly ArgUse[] => {
      const path = valueOf(arg)
      if (!looksLikePath(path) && !DECIDING.test(path.shape)) return [{ effect: 'text', arg }]
      // What a table knows to be written, it says. A device is read, unless there is a file to write behind it.
      const writes = parsed === undefined && (stdin.kind === 'file' || !path.shape.startsWith('/dev/'))
      return [
        { effect: 'read', arg: path },
        ...(writes ? [{ effect: 'write' as const, arg: path }] : []),
        { effect: 'text', arg },
      ]
    }),
  )
}
