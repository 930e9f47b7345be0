import { denyAddress } from './address-check.js'
import { firstReason } from '../first-reason.js'
import { isPathLike, pathsIn, usesOf, valueOf, type Invocation } from '../invocation.js'
import type { ArgUse, ParsedArgs } from '../parsed-args.js'
import { globPattern } from '../patterns.js'
import { denyCode } from './code-check.js'
import { denyDefaultTarget, denyDownload } from './downloads.js'
import { isVolume, mountSource } from '../programs/mounts.js'
import type { Effect, ProgramSpec } from '../programs/program-spec.js'
import { showsBelow } from './search-filter.js'
import { SEARCHES, showsAll } from './searches.js'
import { denyGitConfig, denySetting } from './settings.js'
import { denyUpload } from '../programs/uploads.js'
import { isTopicFolder } from '../secrets.js'
import type { TextPaths } from './text-paths.js'
import { HOLE, cutArg, displayShape, mayBeOption, staticArg, type Arg } from '../words.js'

/** A command with a description, and the paths by which it is checked. */
interface Check {
  readonly invocation: Invocation
  readonly name: string
  readonly parsed: ParsedArgs
  readonly paths: TextPaths
}

type UseCheck = (use: ArgUse, check: Check) => string | undefined

/** Returns why a list does not cover a command whose word it has. */
export function denyReason(invocation: Invocation, paths: TextPaths): string | undefined {
  const { name, parsed } = invocation
  if (parsed === undefined)
    return firstReason(usesOf(invocation), ({ effect, arg }) =>
      would(name, 'touch', paths.deny(arg, effect === 'write' ? 'list' : 'read')),
    )
  if (parsed.unknown !== undefined) return `the argument ${parsed.unknown} of ${name} is not known`
  const check: Check = { invocation, name, parsed, paths }
  return (
    denyUncertain(check) ??
    (name === 'git' && parsed.subcommandPath[0] === 'config'
      ? denyGitConfig(parsed.operands, parsed.givenOptions)
      : undefined) ??
    firstReason(parsed.uses, (use) => BY_EFFECT[use.effect](use, check)) ??
    denyStdin(check) ??
    denyDefaultTarget(name, parsed, paths)
  )
}

const BY_EFFECT: Readonly<Record<Effect, UseCheck>> = {
  text: ({ arg }, check) =>
    check.parsed.spec.mixedOperands === true || check.parsed.spec.otherSubcommands === true
      ? denyWord(arg, check)
      : undefined,
  any: ({ arg }, check) => denyWord(arg, check),
  read: denyPath,
  tree: denyPath,
  list: denyPath,
  listTree: denyPath,
  chdir: denyPath,
  write: denyPath,
  names: denyNames,
  sideWrite: ({ arg, option }, { name }) => `${name} ${option ?? ''} would write ${displayShape(arg)}`,
  fetch: denyFetch,
  mount: denyMount,
  script: denyScript,
  code: ({ arg }, { name, paths }) => denyCode(arg, name, paths),
  // The texts that a shell runs are commands of their own.
  shell: () => undefined,
  program: ({ arg, option }, { name, parsed }) =>
    `${name} ${option ?? parsed.subcommandPath.join(' ')} would run ${displayShape(arg)}`,
  address: denyNetworkAddress,
  upload: denyUploadedText,
  remote: () => undefined,
  setting: ({ arg }, { name, parsed }) => denySetting(arg, name, parsed.subcommandPath),
  query: () => undefined,
  deny: denyOption,
}

const NAME_HARMS: readonly Effect[] = ['program', 'sideWrite', 'fetch']
const TEXT_HARMS: readonly Effect[] = [...NAME_HARMS, 'deny', 'shell', 'code', 'script', 'setting']

/** Checks a word that may turn out to be an option: the name of a file or the output of a command can be anything. */
function denyUncertain(check: Check): string | undefined {
  const { name, parsed, paths } = check
  const { uncertain, spec, effects } = parsed
  if (uncertain === undefined || spec.noOptions === true) return undefined
  const has = (harms: readonly Effect[]): boolean => harms.some((effect) => effects.has(effect))
  const readsMore = spec.recursive !== undefined || effects.has('read')
  const mayHarm = uncertain.sources.some((source) => {
    if (source === 'command' || source === 'input') return has(TEXT_HARMS) || readsMore
    return source === 'glob' && has(NAME_HARMS)
  })
  const fails = failsAsOption(uncertain, spec, effects)
  if ((spec.tolerant !== true && !fails) || mayHarm)
    return `the argument ${uncertain.text} of ${name} may turn out to be an option`
  // As an option, a name may make the program read other files: all below the folder, or one that it names.
  const reads = (file: string): boolean =>
    (spec.recursive !== undefined && showsBelow(name, parsed, file)) || (effects.has('read') && !file.includes('/'))
  return readsMore && !fails && name !== 'git'
    ? would(name, 'read', paths.denySecrets(staticArg('.'), 'tree', reads))
    : undefined
}

/** Effects of an option that stay in the working directory if its value is the name of a file there. */
const LOCAL: readonly Effect[] = ['text', 'query', 'read', 'list', 'write']

/**
 * Returns whether the name of a file could only be an option that is refused: it ends with characters that are none,
 * and no option that takes the rest of it as a value does more than its program.
 */
function failsAsOption({ sources, pattern }: Arg, { options }: ProgramSpec, effects: ReadonlySet<Effect>): boolean {
  const tail = pattern.split(/[\0-\u0002]/).at(-1) ?? ''
  return (
    sources.every((source) => source === 'glob') &&
    !/[\0/]/.test(pattern) &&
    [...tail].some((letter) => !options.has(letter) && !/\w/.test(letter)) &&
    [...effects].every((effect) => LOCAL.includes(effect))
  )
}

function denyPath(use: ArgUse, check: Check): string | undefined {
  const { effect, arg, option } = use
  const { name, parsed } = check
  const [path = arg] = pathsIn(arg, name, effect)
  const isOperand = option === undefined
  if (arg.shape === '-' || (isOperand && parsed.spec.mixedOperands === true && !isPathLike(path))) return undefined
  if (effect === 'write' && isOperand && arg.shape.startsWith('-'))
    return `${name} may take ${displayShape(arg)} for an option`
  return (
    denyAccess(use, path, check) ??
    denySecrets(use, path, check) ??
    (takesWholeTree(use, check) ? `${name} would take everything below ${displayShape(arg)}` : undefined)
  )
}

function denyAccess(use: ArgUse, path: Arg, { name, paths }: Check): string | undefined {
  if (isSearch(use, name)) return would(name, 'read', paths.deny(path, 'search'))
  switch (use.effect) {
    case 'write':
      return would(name, 'write', paths.deny(path, 'write'))
    case 'read':
    case 'tree':
      // git only shows what is tracked, and the keys among sources belong to tests.
      if (name === 'git' && path.value !== undefined && isTopicFolder(path.value))
        return would(name, 'read', paths.deny(path, 'list'))
      return would(name, 'read', paths.deny(path, use.effect))
    case 'list':
    case 'listTree':
    case 'chdir':
      return would(name, 'look into', paths.deny(path, use.effect))
    default:
      return undefined
  }
}

/** Checks the files that a pattern or a recursion really reaches. git shows what is tracked. */
function denySecrets({ effect, option }: ArgUse, path: Arg, { name, parsed, paths }: Check): string | undefined {
  if (name === 'git' || option !== undefined || (effect !== 'read' && effect !== 'tree')) return undefined
  return would(
    name,
    'read',
    paths.denySecrets(path, effect, (file) => showsBelow(name, parsed, file)),
  )
}

/** Returns whether a program tells about a file without showing its content. */
function isSearch({ effect }: ArgUse, name: string): boolean {
  return SEARCHES.test(name) && effect === 'read'
}

/** Returns whether a command reads or changes everything below a folder. */
function takesWholeTree(use: ArgUse, check: Check): boolean {
  const { paths } = check
  if (changesTree(use, check)) return paths.isWide(use.arg)
  if (readsTree(use, check)) return paths.holdsMore(use.arg)
  return use.effect === 'read' && !isSearch(use, check.name) && check.name !== 'git' && paths.isAny(use.arg)
}

function readsTree(use: ArgUse, { invocation, name, parsed }: Check): boolean {
  if (use.effect !== 'tree' && !isSearch(use, name)) return false
  return !SEARCHES.test(name) || (/grep|rg/.test(name) && showsAll(parsed, invocation.args))
}

/** Returns whether an operand is changed itself, not only the target of others. */
function changesTree({ effect, arg, option }: ArgUse, { name, parsed: { spec, operands } }: Check): boolean {
  const isTarget = spec.lastIsTarget === true && operands.length > 1 && arg === operands.at(-1)
  return effect === 'write' && option === undefined && name !== 'git' && !isTarget
}

function denyNames({ arg }: ArgUse, { name, paths }: Check): string | undefined {
  const pattern = globPattern(arg.pattern)
  return would(name, 'read what may hold credentials:', paths.deny({ ...arg, pattern, shape: pattern }, 'search'))
}

function denyFetch({ arg, option }: ArgUse, { name, paths }: Check): string | undefined {
  if (arg.shape === '-') return undefined
  const isFolder = /^-(?:P|-directory-prefix|-output-dir)$/.test(option ?? '')
  return would(name, 'write', paths.deny(arg, 'write') ?? denyDownload(arg, isFolder))
}

/** Returns why a container may not mount a path. It may see the working directory and its own volumes. */
function denyMount({ arg }: ArgUse, { name, paths }: Check): string | undefined {
  const source = mountSource(arg)
  // A name is a volume of its own.
  if (isVolume(source, arg)) return undefined
  const problem =
    paths.deny(source, 'tree') ??
    (paths.rules.isLocal(source) ? undefined : `${displayShape(source)}, which is outside the working directory`)
  return problem === undefined ? undefined : `${name} would give the container ${problem}`
}

function denyScript({ arg }: ArgUse, { name, paths }: Check): string | undefined {
  const isFileName = arg.sources.every((source) => source === 'glob') && !mayBeOption(arg)
  const isComputed = arg.sources.some((source) => source !== 'variable' && source !== 'arithmetic')
  if (!isFileName && (isComputed || arg.shape === HOLE)) return `the file that ${name} runs is only known when it runs`
  if (/^(?!file:|node:)[a-z][\w+-]+:/i.test(arg.shape)) return `${name} would run ${displayShape(arg)}`
  return would(name, 'run', paths.deny(arg, 'read'))
}

function denyNetworkAddress({ arg }: ArgUse, { name, paths }: Check): string | undefined {
  const isHost = arg.shape.includes('://') || /^(?!\.{1,2}\/)[\w.-]+(?::\d+)?(?:\/|$)/.test(arg.shape)
  return (
    denyAddress(arg, name) ?? (isPathLike(arg) && !isHost ? would(name, 'touch', paths.deny(arg, 'tree')) : undefined)
  )
}

function denyUploadedText({ arg, option = '' }: ArgUse, { name, paths }: Check): string | undefined {
  if (/^-(?:T|-upload-file)$/.test(option) && /[[{]/.test(arg.shape))
    return `${name} would send ${displayShape(arg)}, which is a pattern`
  const denyFile = (file: Arg): string | undefined =>
    paths.deny(file, 'read') ??
    (paths.rules.isLocal(file) ? undefined : `${displayShape(file)} is outside the working directory`)
  return would(name, 'send', denyUpload(arg, option, denyFile))
}

function denyOption({ arg, option }: ArgUse, { name, parsed }: Check): string | undefined {
  // An empty value switches something off.
  if (arg.value === '' && option !== undefined) return undefined
  return `${name} ${option ?? [...parsed.subcommandPath, displayShape(arg)].join(' ')} is not covered`
}

/** Checks what a program reads from its standard input where no file or code is given. */
function denyStdin({ invocation: { stdin }, name, parsed, paths }: Check): string | undefined {
  const kind = parsed.spec.stdin
  if (kind === undefined || !readsStdin(parsed)) return undefined
  if (stdin.kind === 'unknown' || stdin.kind === 'names' || (stdin.kind === 'file' && kind === 'shell'))
    return `${name} would run code that is only known when it runs`
  return stdin.kind === 'text' ? denyCode(staticArg(stdin.text), name, paths) : undefined
}

function readsStdin({ spec, uses, givenOptions, operands }: ParsedArgs): boolean {
  const first = operands[0]?.shape ?? ''
  if (spec.stdin === 'shell' || first === '-' || /^\/dev\/(?:stdin|fd\/0)$/.test(first)) return true
  return !uses.some(({ effect }) => effect === 'code' || effect === 'script') && !givenOptions.has('-m')
}

/** Checks a word that may be a path or something else. */
function denyWord(arg: Arg, { name, paths }: Check): string | undefined {
  if (arg.shape.startsWith('-') && !arg.shape.includes('=')) return undefined
  const value = valueOf(arg)
  if (/^git\+(?!https?:|ssh:)/i.test(value.shape)) return `${name} would take ${displayShape(value)}`
  if (/^(?:file|link|portal):(?!\/\/)/.test(value.shape))
    return would(name, 'touch', paths.deny(cutArg(value, value.shape.indexOf(':') + 1), 'tree'))
  if (!isPathLike(value) || /^[a-z][a-z\d+.-]*:\/\//i.test(value.shape)) return undefined
  return would(name, 'touch', paths.deny(value, 'read'))
}

const would = (name: string, does: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${name} would ${does} ${problem}`
