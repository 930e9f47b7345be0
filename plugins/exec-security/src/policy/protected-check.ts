import { mentionsHost, reachesHost } from './addresses.js'
import { firstReason } from './first-reason.js'
import { isPathLike, isPathOfUnknownProgram, pathsIn, usesOf, type Invocation } from './invocation.js'
import { hasOption } from './parse-args.js'
import { hasWild } from './patterns.js'
import type { ArgUse } from './parsed-args.js'
import type { Access, PathRules } from './path-rules.js'
import { denyProtectedCode } from './programs/code.js'
import { linkedPaths } from './programs/ln-links.js'
import { expandCurlLists } from './programs/curl-lists.js'
import { denyProtectedMount } from './programs/mounts.js'
import type { Effect } from './programs/program-spec.js'
import { fileOfAddress } from './programs/file-addresses.js'
import { denyUpload } from './programs/uploads.js'
import type { Stdin } from './redirects.js'
import { displayShape, staticArg, type Arg } from './words.js'

interface Check {
  readonly invocation: Invocation
  readonly paths: PathRules
  /** Ports on which this host answers. */
  readonly ports: readonly number[]
  /** The program changes the files that its operands name. */
  readonly edits: boolean
}

type UseCheck = (use: ArgUse, check: Check) => string | undefined

/** Returns why a command touches what decides over the host itself. No mode and no rule can allow it. */
export function denyProtected(invocation: Invocation, paths: PathRules, ports: readonly number[]): string | undefined {
  const editsUnless = invocation.parsed?.spec.editsUnless
  const edits = editsUnless !== undefined && !hasOption(invocation.parsed?.givenOptions ?? new Set(), editsUnless)
  const check: Check = { invocation, paths, ports, edits }
  const uses = usesOf(invocation)
  paths.workIn(uses.filter((use) => isWorkingDirectory(use, check)).map(({ arg }) => arg))
  return (
    denyHostPort(check) ??
    denyStdin(check) ??
    firstReason(uses, (use) => (BY_EFFECT[use.effect] ?? denyAny)(use, check))
  )
}

/** The checks of effects that need more than a look at paths and at addresses in the text. */
const BY_EFFECT: Readonly<Partial<Record<Effect, UseCheck>>> = {
  setting: (use, check) => denyProcessColumns(use, check) ?? denyAny(use, check),
  mount: (use, check) => denyPaths(use, check) ?? denyProtectedMount(use.arg, check.paths) ?? denyMention(use, check),
  code: (use, check) => denyPaths(use, check) ?? denyGlob(use, check) ?? denyCode(use, check),
  address: (use, check) => denyPaths(use, check) ?? denyGlob(use, check) ?? denyAddress(use, check),
  upload: (use, check) => denyPaths(use, check) ?? denyGlob(use, check) ?? denyUploadedFile(use, check),
}

function denyAny(use: ArgUse, check: Check): string | undefined {
  return denyPaths(use, check) ?? denyGlob(use, check) ?? denyMention(use, check)
}

const PATH_ACCESS: Readonly<Partial<Record<Effect, Access>>> = {
  read: 'read',
  tree: 'tree',
  list: 'list',
  listTree: 'listTree',
  chdir: 'chdir',
  write: 'write',
  fetch: 'write',
  sideWrite: 'write',
  names: 'read',
  script: 'read',
}

function denyPaths(use: ArgUse, check: Check): string | undefined {
  const { paths } = check
  return firstReason(namedPaths(use, check), (path) => {
    const access = accessOf(use, path, check)
    return (
      (access === undefined ? undefined : paths.denyProtected(path, access)) ??
      (mayChange(use, path, access, check) ? paths.denyProtected(path, 'write') : undefined)
    )
  })
}

function namedPaths({ arg, effect, option }: ArgUse, { invocation: { name, parsed } }: Check): readonly Arg[] {
  if (name === 'ln' && option === undefined && parsed !== undefined) return linkedPaths(arg, parsed)
  return pathsIn(arg, name, effect)
}

function accessOf(use: ArgUse, path: Arg, check: Check): Access | undefined {
  const { effect, arg } = use
  const { parsed } = check.invocation
  // A file that no list covers may still be one of options, of names or of code.
  if (effect === 'deny' && isWorkingDirectory(use, check)) return 'tree'
  if (effect === 'setting' && /^core\.worktree=/i.test(arg.shape)) return 'tree'
  if (effect === 'deny' || effect === 'setting') return isPathOfUnknownProgram(path) ? 'read' : undefined
  if (effect === 'address') return /[:@]/.test(arg.shape) ? undefined : 'tree'
  if (effect === 'text') return parsed?.spec.otherSubcommands === true && isPathLike(path) ? 'read' : undefined
  return PATH_ACCESS[effect]
}

function mayChange(use: ArgUse, path: Arg, access: Access | undefined, check: Check): boolean {
  const { edits, invocation } = check
  const { name, parsed } = invocation
  if (use.effect === 'tree' && isWorkingDirectory(use, check) && (edits || name !== 'git')) return true
  if (edits && access !== undefined && use.option === undefined) return true
  const isUnknown =
    use.effect === 'any' || name === 'socat' || (use.effect === 'text' && parsed?.subcommandPath[0] === 'submodule')
  return isUnknown && isPathOfUnknownProgram(path)
}

/** Returns whether a word is a folder in which the program, or a command that it runs, works. */
function isWorkingDirectory({ effect, option }: ArgUse, { invocation: { parsed } }: Check): boolean {
  const given = parsed?.givenOptions
  if (effect === 'text') return false
  if (option === undefined)
    return effect === 'listTree' && (given?.has('-execdir') === true || given?.has('-okdir') === true)
  const names = parsed?.spec.worksIn ?? []
  return effect === 'chdir' || names.some((name) => option === (name.length > 1 ? `--${name}` : `-${name}`))
}

/** Checks a pattern: the shell itself reads the names that it expands to. */
function denyGlob({ arg }: ArgUse, { paths }: Check): string | undefined {
  return arg.sources.includes('glob') ? paths.denyProtected(arg, 'list') : undefined
}

function denyMention({ arg }: ArgUse, check: Check): string | undefined {
  if (/^(?:grep|echo|printf)$/.test(check.invocation.name)) return undefined
  return mentionsHost(arg.shape, check.ports) ? reachesThisHost(check) : undefined
}

function denyCode({ arg }: ArgUse, check: Check): string | undefined {
  const { invocation, paths, ports } = check
  return (
    denyProtectedCode(arg.shape, invocation.name, paths) ??
    (mentionsHost(arg.shape, ports) ? reachesThisHost(check) : undefined)
  )
}

function denyAddress({ arg }: ArgUse, { paths, ports }: Check): string | undefined {
  const file = fileOfAddress(arg)
  if (file !== undefined) return paths.denyProtected(file, 'read')
  return reachesHost(arg, ports) ? `${displayShape(arg)} may be this host itself` : undefined
}

/** Checks the files of an upload. Other reasons against it do not concern protected files. */
function denyUploadedFile({ arg, option }: ArgUse, { paths }: Check): string | undefined {
  let reason: string | undefined
  // curl expands lists in the names of files that it sends.
  const texts = arg.value === undefined ? [arg] : expandCurlLists(arg.value).map((text) => staticArg(text))
  for (const text of texts) denyUpload(text, option ?? '', (file) => (reason ??= paths.denyProtected(file, 'read')))
  return reason
}

/** Checks the columns of `ps` and `top`: letters without a hyphen, of which `e` shows the environment of processes. */
function denyProcessColumns({ arg: { shape } }: ArgUse, { invocation: { name } }: Check): string | undefined {
  return /^(?:ps|top)$/.test(name) && /e/i.test(shape) && /^[a-z]+$/i.test(shape)
    ? `${name} ${shape} shows the environment of processes`
    : undefined
}

function denyHostPort(check: Check): string | undefined {
  const { parsed } = check.invocation
  if (parsed?.spec.network !== true) return undefined
  const hasPort = parsed.uses.some(
    ({ effect, arg: { value } }) => effect !== 'upload' && value !== undefined && check.ports.includes(Number(value)),
  )
  return hasPort ? reachesThisHost(check) : undefined
}

/** Checks code on the standard input of an interpreter, and names of files on that of a program that takes them. */
function denyStdin({ invocation, paths }: Check): string | undefined {
  const { name, parsed, stdin } = invocation
  const isCode = parsed?.spec.stdin !== undefined && stdin.kind === 'text'
  const code = isCode ? denyProtectedCode(stdin.text, name, paths) : undefined
  if (code !== undefined || !takesNames(invocation)) return code
  const words = wordsOf(stdin).map((word) => staticArg(word))
  return firstReason(words.filter(isPathOfUnknownProgram), (word) =>
    paths.denyProtected(fileOfAddress(word) ?? word, 'read'),
  )
}

function wordsOf(stdin: Stdin): readonly string[] {
  if (stdin.kind === 'text') return stdin.text.split(/[\s\0"'=]+/)
  return stdin.kind === 'unknown' ? (stdin.names ?? []).filter((name) => !hasWild(name)) : []
}

const NAMES_ON_INPUT = /^(?:cpio|pax|afio|parallel|entr)$/
/** Options that say so, or that take a list of names. */
const READS_NAMES = /^(?:--stdin(?:-paths)?|-@|--(?:files0?-from|pathspec-from-file)=-)$/

function takesNames({ name, args, parsed }: Invocation): boolean {
  return (
    NAMES_ON_INPUT.test(name) ||
    args.some(({ shape }) => READS_NAMES.test(shape)) ||
    parsed?.uses.some(
      ({ effect, option = '', arg }) =>
        /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(arg.shape) &&
        ((effect === 'deny' && option !== '') || READS_NAMES.test(`${option}=-`)),
    ) === true
  )
}

const reachesThisHost = ({ invocation: { name } }: Check): string => `${name} may reach this host itself`
