// Decides on a command whose words its table explains: what each of them means, and whether a list covers that.
import { mentionsHost, reachesHost, refuseAddress } from './addresses.js'
import { refuseCode, sealedCode } from './programs/code.js'
import { refuseDownload, refuseStored } from './programs/downloads.js'
import type { Reading, Use } from './reading.js'
import { gives } from './options.js'
import type { Access, Paths } from './paths.js'
import { globPattern } from './patterns.js'
import { trackedPaths } from './programs/git.js'
import { linkedPaths } from './programs/links.js'
import { refuseMount, sealedMount } from './programs/mounts.js'
import { refuseGitConfig, refuseSetting } from './programs/settings.js'
import { SEARCHES, showsAll } from './programs/searches.js'
import { refuseSent } from './programs/sent.js'
import type { Stdin } from './redirects.js'
import { firstOf } from './problems.js'
import { HOLE, cutArg, displayShape, mayBeOption, staticArg, type Arg } from './words.js'

const NEVER: readonly Use['effect'][] = []
/** What an option may do that a name of a file must not turn out to be: anyone may have chosen it. */
const HARMFUL_NAME: readonly Use['effect'][] = ['program', 'spill', 'fetch']
/** The same for text that a command writes. */
const HARMFUL: readonly Use['effect'][] = [...HARMFUL_NAME, 'never', 'shell', 'code', 'script', 'setting']

const PATH_EFFECTS: Readonly<Partial<Record<Use['effect'], Access>>> = {
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
export interface Deed {
  /** The base name of the program. */
  readonly name: string
  readonly args: readonly Arg[]
  /** Absent where no table describes the program. */
  readonly reading: Reading | undefined
  readonly stdin: Stdin
}

/** Why a command touches what decides over the host itself, in any mode, or undefined. */
export function refuseSealed(deed: Deed, paths: Paths, ports: readonly number[]): string | undefined {
  const { name, reading } = deed
  const reaches = `${name} may reach this host itself`
  if (
    reading?.table.network === true &&
    reading.uses.some(
      ({ effect, arg: { value } }) => effect !== 'sent' && value !== undefined && ports.includes(Number(value)),
    )
  )
    return reaches
  const fed =
    reading?.table.input !== undefined && deed.stdin.kind === 'text'
      ? sealedCode(deed.stdin.text, name, paths)
      : undefined
  if (fed !== undefined) return fed
  const edits = reading?.table.edits !== undefined && !gives(reading.given, reading.table.edits)
  return firstOf(usesOf(deed), ({ effect, arg, option }) => {
    const inside = option === '-C' && /^(?:git|go|cargo|g?make)$/.test(name)
    if (inside) paths.enter(arg)
    const shown = effect === 'setting' && /^(?:ps|top)$/.test(name) ? refuseSetting(arg, name, []) : undefined
    const sealed =
      shown ??
      firstOf(
        name === 'ln' && option === undefined && reading !== undefined
          ? linkedPaths(arg, reading)
          : pathsIn(arg, name, effect),
        (path) => {
          const access =
            PATH_EFFECTS[effect] ??
            (effect === 'address' && !/[:@]/.test(arg.shape)
              ? 'tree'
              : effect === 'text' && reading?.table.open === true && looksLikePath(path)
                ? 'read'
                : undefined)
          const changed =
            ((edits || name !== 'git') && inside) ||
            (edits && access !== undefined && option === undefined) ||
            ((effect === 'any' || (effect === 'text' && reading?.path[0] === 'submodule')) &&
              (looksLikePath(path) || DECIDING.test(path.shape)))
          return (
            (access === undefined ? undefined : paths.sealed(path, access)) ??
            (changed ? paths.sealed(path, 'write') : undefined)
          )
          // The shell itself reads the names that a pattern stands for.
        },
      ) ??
      (effect === 'mount'
        ? sealedMount(arg, paths)
        : arg.sources.includes('glob')
          ? paths.sealed(arg, 'list')
          : undefined)
    if (sealed !== undefined) return sealed
    if (effect === 'code')
      return sealedCode(arg.shape, name, paths) ?? (mentionsHost(arg.shape, ports) ? reaches : undefined)
    const file = effect === 'address' ? /^file:(?:\/\/(?:localhost(?=\/))?)?/i.exec(arg.shape)?.[0].length : undefined
    if (effect === 'address')
      return file !== undefined
        ? paths.sealed(cutArg(arg, file), 'read')
        : reachesHost(arg, ports)
          ? `${displayShape(arg)} may be this host itself`
          : undefined
    if (effect === 'sent') {
      let sent: string | undefined
      refuseSent(arg, option ?? '', (file) => (sent ??= paths.sealed(file, 'read')))
      return sent
    }
    return !/^(?:grep|echo|printf)$/.test(name) && mentionsHost(arg.shape, ports) ? reaches : undefined
  })
}

const pathsIn = (arg: Arg, name: string, effect: Use['effect']): readonly Arg[] =>
  name === 'git' ? trackedPaths(arg) : [effect === 'any' ? valueOf(arg) : arg]

/** What stands behind a name, be it that of an option which no table knows. */
function valueOf(arg: Arg): Arg {
  const { length } = /^(?:-[^=]*=)?(?:[A-Za-z_]\w*=)?/.exec(arg.shape)?.[0] ?? ''
  return length === 0 ? arg : cutArg(arg, length)
}

/** Why a list does not cover a command, or undefined. */
export function refuseWords(deed: Deed, paths: Paths): string | undefined {
  const { name, reading } = deed
  if (reading === undefined)
    return firstOf(usesOf(deed), ({ effect, arg }) =>
      would(name, 'touch', paths.refuse(arg, effect === 'write' ? 'list' : 'read')),
    )
  if (reading.unknown !== undefined) return `the argument ${reading.unknown} of ${name} is not known`
  if (
    reading.uncertain !== undefined &&
    reading.table.verbatim !== true &&
    (reading.table.tolerant !== true ||
      reading.uncertain.sources.some((source) =>
        (source === 'command' || source === 'input' ? HARMFUL : source === 'glob' ? HARMFUL_NAME : NEVER).some(
          (effect) => reading.effects.has(effect),
        ),
      ))
  )
    return `the argument ${reading.uncertain.text} of ${name} may turn out to be an option`
  const configured =
    name === 'git' && reading.path[0] === 'config' ? refuseGitConfig(reading.operands, reading.given) : undefined
  return (
    configured ??
    firstOf(reading.uses, (use) => refuseUse(use, deed, reading, paths)) ??
    refuseInput(deed, reading, paths) ??
    refuseStored(name, reading, paths)
  )
}

function refuseUse(use: Use, deed: Deed, reading: Reading, paths: Paths): string | undefined {
  const { effect, arg, option } = use
  const { name } = deed
  switch (effect) {
    case 'text':
      return reading.table.words === true || reading.table.open === true ? refuseWord(arg, name, paths) : undefined
    case 'any':
      return refuseWord(arg, name, paths)
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
      if (arg.shape === '-' || (option === undefined && reading.table.words === true && !looksLikePath(path)))
        return undefined
      if (effect === 'write' && option === undefined && arg.shape.startsWith('-'))
        return `${name} may take ${displayShape(arg)} for an option`
      const searches = SEARCHES.test(name) && effect === 'read'
      const problem = would(
        name,
        effect === 'write' ? 'write' : effect === 'read' || effect === 'tree' ? 'read' : 'look into',
        paths.refuse(path, searches ? 'search' : effect),
      )
      if (problem !== undefined) return problem
      const all =
        effect === 'tree' || searches
          ? !SEARCHES.test(name) || (/grep|rg/.test(name) && showsAll(reading, deed.args))
          : effect === 'write' &&
            option === undefined &&
            name !== 'git' &&
            !(reading.table.into === true && reading.operands.length > 1 && arg === reading.operands.at(-1))
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
          : (paths.refuse(arg, 'write') ??
              refuseDownload(arg, /^-(?:P|-directory-prefix|-output-dir)$/.test(option ?? ''))),
      )
    case 'script': {
      const listed = arg.sources.every((source) => source === 'glob') && !mayBeOption(arg)
      if (
        !listed &&
        (arg.sources.some((source) => source !== 'variable' && source !== 'arithmetic') || arg.shape === HOLE)
      )
        return `the file that ${name} runs is only known when it runs`
      if (/^(?!file:|node:)[a-z][\w+-]+:/i.test(arg.shape)) return `${name} would run ${displayShape(arg)}`
      return would(name, 'run', paths.refuse(arg, 'read'))
    }
    case 'code':
      return refuseCode(arg, name, paths)
    case 'address':
      return (
        refuseAddress(arg, name) ??
        (looksLikePath(arg) && !arg.shape.includes('://') && !/^(?!\.{1,2}\/)[\w.-]+(?::\d+)?(?:\/|$)/.test(arg.shape)
          ? would(name, 'touch', paths.refuse(arg, 'tree'))
          : undefined)
      )
    case 'sent': {
      if (/^-(?:T|-upload-file)$/.test(option ?? '') && /[[{]/.test(arg.shape))
        return `${name} would send ${displayShape(arg)}, which is a pattern`
      return would(
        name,
        'send',
        refuseSent(
          arg,
          option ?? '',
          (file) =>
            paths.refuse(file, 'read') ??
            (paths.isLocal(file) ? undefined : `${displayShape(file)} is outside the working directory`),
        ),
      )
    }
    case 'setting':
      return refuseSetting(arg, name, reading.path)
    case 'spill':
      return `${name} ${option ?? ''} would write ${displayShape(arg)}`
    case 'names': {
      const pattern = globPattern(arg.pattern)
      return would(name, 'read what may hold credentials:', paths.refuse({ ...arg, pattern, shape: pattern }, 'search'))
    }
    case 'mount':
      return refuseMount(arg, name, paths)
    case 'program':
      return `${name} ${option ?? reading.path.join(' ')} would run ${displayShape(arg)}`
    case 'never':
      // An empty value switches something off.
      if (arg.value === '' && option !== undefined) return undefined
      return `${name} ${option ?? [...reading.path, displayShape(arg)].join(' ')} is not covered`
    default:
      effect satisfies never
      return `a word of ${name} that is not understood`
  }
}

/** What a program reads from its standard input where no file or code is given. */
function refuseInput(deed: Deed, reading: Reading, paths: Paths): string | undefined {
  const { name, stdin } = deed
  const given =
    reading.table.input !== 'shell' &&
    (reading.uses.some(({ effect }) => effect === 'code' || effect === 'script') || reading.given.has('-m'))
  const fromInput =
    !given || reading.operands[0]?.shape === '-' || /^\/dev\/(?:stdin|fd\/0)$/.test(reading.operands[0]?.shape ?? '')
  if (reading.table.input === undefined || !fromInput) return undefined
  if (stdin.kind === 'unknown' || stdin.kind === 'paths' || (stdin.kind === 'file' && reading.table.input === 'shell'))
    return `${name} would run code that is only known when it runs`
  return stdin.kind === 'text' ? refuseCode(staticArg(stdin.text), name, paths) : undefined
}

/** A word that may be a path, where other words are possible too. */
function refuseWord(arg: Arg, name: string, paths: Paths): string | undefined {
  if (arg.shape.startsWith('-') && !arg.shape.includes('=')) return undefined
  const given = valueOf(arg)
  if (/^git\+(?!https?:|ssh:)/i.test(given.shape)) return `${name} would take ${displayShape(given)}`
  const word = /^(?:file|link|portal):(?!\/\/)/.test(given.shape) ? cutArg(given, given.shape.indexOf(':') + 1) : given
  if (word !== given) return would(name, 'touch', paths.refuse(word, 'tree'))
  if (!looksLikePath(word) || /^[a-z][a-z\d+.-]*:\/\//i.test(word.shape)) return undefined
  return would(name, 'touch', paths.refuse(word, 'read'))
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
function usesOf({ args, reading, stdin }: Deed): readonly Use[] {
  if (reading !== undefined && (reading.unknown === undefined || reading.table.style === 'find')) return reading.uses
  return (reading?.uses ?? []).concat(
    args.flatMap((arg): readonly Use[] => {
      const path = valueOf(arg)
      if (!looksLikePath(path) && !DECIDING.test(path.shape)) return [{ effect: 'text', arg }]
      // What a table knows to be written, it says. A device is read, unless there is a file to write behind it.
      const writes = reading === undefined && (stdin.kind === 'file' || !path.shape.startsWith('/dev/'))
      return [
        { effect: 'read', arg: path },
        ...(writes ? [{ effect: 'write' as const, arg: path }] : []),
        { effect: 'text', arg },
      ]
    }),
  )
}
