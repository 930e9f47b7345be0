// Decides on paths by sets: a word is every path that it may become, and that set is held against what is out of reach.
import type { Budget } from './budget.js'
import { couldBe, couldReach, hasWild, splitWild, written } from './patterns.js'
import { ASSUMED_PATHS, type ExecPaths } from './exec-paths.js'
import { firstReason } from './first-reason.js'
import { aims, collapse, isLeftOut, mayClimb, pointed, treeOf } from './path-shapes.js'
import { isSecretDirectory, isSecretName, secretBelow } from './secrets.js'
import {
  HARMLESS_DEVICE,
  HARMLESS_OUTPUT,
  HARMLESS_SYSTEM,
  LISTED_SYSTEM,
  SYSTEM,
  systemSecret,
} from './system-paths.js'
import { HOLE, STAR, hasTilde, piecesOf, type Arg } from './words.js'

/**
 * The use of a path: `read` and `search` its content, `tree` reads everything below it, `list` its name and attributes,
 * `listTree` those of everything below it, `chdir` enters it, `write` changes it.
 */
export type Access = 'read' | 'search' | 'tree' | 'list' | 'listTree' | 'chdir' | 'write'

/** Files that represent the data directory for patterns without letters of their own. */
const DATA_FILES = [
  'http-token',
  'owner-approve-always.json',
  'mynah.sqlite',
  'mynah.sqlite-wal',
  'mynah.db',
  'jobs.json',
  'media/inbound',
]

/** The same for folders of plugins. */
const PLUGIN_FILES = [
  'index.js',
  'index.ts',
  'index.mjs',
  'package.json',
  'a/index.js',
  'a/src/index.ts',
  'a/package.json',
]

/** To write these is to write what standard input was opened from. */
const STANDARD_INPUT = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']

/** Folders that a script may enter before all is possible. */
const MAX_BASES = 12

/** The rules for the paths of one command line. */
export class PathRules {
  readonly #paths: ExecPaths
  readonly #budget: Budget

  /** Where relative paths may begin: the working directory, and every folder that the script may have entered. */
  #bases: readonly string[]

  constructor(paths: ExecPaths | undefined, budget: Budget) {
    this.#budget = budget
    this.#paths = paths ?? ASSUMED_PATHS
    this.#bases = [this.#paths.cwd]
  }

  /** Adds a folder from which relative paths may begin. */
  chdir(folder: Arg): void {
    const reached = this.resolve(folder)
    const bases = [...new Set([...this.#bases, ...reached])]
    this.#bases = bases.length > MAX_BASES ? [this.#paths.cwd, HOLE] : bases
  }

  /** Returns every absolute path that a word may become, as patterns. */
  resolve(arg: Arg): readonly string[] {
    // `<(…)` becomes a descriptor, and the command in it is evaluated by itself.
    if (arg.shape === HOLE && arg.sources[0] === 'process') return ['/dev/fd/1']
    const paths = this.#absolute(this.#substituted(arg), hasTilde(arg))
    return mayClimb(arg) ? [...paths, HOLE] : paths
  }

  /**
   * Returns why a word is a path that decides over the host itself: its data, configuration, plugins, or another
   * process.
   * This applies in every mode. With `strict`, a vague pattern counts as such a path.
   */
  denyProtected(arg: Arg, access: Access, strict = false): string | undefined {
    const hit = this.resolve(arg).some((path) => this.#deciding(path, access, strict))
    return hit ? `${shown(arg)} may be part of what decides over this host` : undefined
  }

  /** Returns why a word is a path that may not be used without asking. */
  deny(arg: Arg, access: Access): string | undefined {
    if (this.resolve(arg).some((path) => path.startsWith(HOLE))) return `${shown(arg)} is only known when it runs`
    const touched = this.denyProtected(arg, access, true)
    if (touched !== undefined) return touched
    const problem = firstReason(this.resolve(arg), (path) => this.#problem(path, arg, access))
    return problem === undefined ? undefined : `${shown(arg)} ${problem}`
  }

  /**
   * Returns why what a pattern or a folder may reach in the working directory holds credentials.
   *
   * @param shows whether the program would show a file, by its path in the working directory
   */
  denySecrets(arg: Arg, access: Access, shows: (path: string) => boolean): string | undefined {
    const { cwd, secrets } = this.#paths
    if (secrets === undefined) return undefined
    const reached = this.resolve(arg)
      .map((path) => (access === 'tree' ? `${path.replace(/\/(?:\.)?$/, '')}/${HOLE}` : path))
      .filter(hasWild)
    if (reached.length === 0) return undefined
    const { all } = secrets
    if (all === undefined) return `${shown(arg)} has more files below it than can be looked at`
    const found = all.find((file) => {
      this.#budget.spend(1)
      return reached.some((path) => couldBe(path, file) && !isLeftOut(path, file)) && shows(file.slice(cwd.length + 1))
    })
    return found === undefined
      ? undefined
      : `${shown(arg)} reaches ${found.slice(cwd.length + 1)}, which may hold credentials`
  }

  /** Returns whether every path that a word may become is in the working directory or in `/tmp`. */
  isLocal(arg: Arg): boolean {
    return this.resolve(arg).every(
      (path) => this.#below(path) !== undefined || path === '/tmp' || path.startsWith('/tmp/'),
    )
  }

  /** Returns whether a path is the home folder, or is in it. */
  isInHome(path: string): boolean {
    const home = this.#paths.home ?? ''
    return home !== '' && (path === home || path.startsWith(`${home}/`))
  }

  /** Returns whether a word may become the whole working directory, or everything below it. */
  isWide(arg: Arg): boolean {
    const { cwd } = this.#paths
    return this.resolve(arg).some(
      (path) => path === cwd || path === '/' || cwd.startsWith(`${path}/`) || this.#isBare(path),
    )
  }

  /** Returns whether everything below what a word may become is more than the files of the working directory. */
  holdsMore(arg: Arg): boolean {
    const { cwd, protected: protectedPaths } = this.#paths
    const isAlone = this.#paths !== ASSUMED_PATHS && !protectedPaths.some((path) => path.startsWith(`${cwd}/`))
    return this.isWide(arg) && !(isAlone && this.resolve(arg).every((path) => this.#below(path) !== undefined))
  }

  /**
   * Returns whether a word is a pattern without letters of its own that may match protected files of the assumed
   * layout.
   */
  isAny(arg: Arg): boolean {
    return this.#paths === ASSUMED_PATHS && this.resolve(arg).some((path) => this.#isBare(path))
  }

  #isBare(path: string): boolean {
    return (
      hasWild(path) &&
      couldReach(path, `${this.#paths.cwd}/data`) &&
      written(splitWild(path).wild).replaceAll('/', '') === ''
    )
  }

  #problem(path: string, arg: Arg, access: Access): string | undefined {
    const local = this.#below(path)
    return (
      (access === 'write' ? writeProblem(path, local !== undefined) : undefined) ??
      (local === undefined && arg.text.startsWith('/') && /\/\.\.(?:\/|$)/.test(arg.shape)
        ? 'climbs out of a folder, which may be a link'
        : undefined) ??
      systemProblem(path, access) ??
      this.#treeProblem(path, access, local === undefined) ??
      (holdsSecret(path, local ?? path, access) ? 'may hold credentials' : undefined)
    )
  }

  /** Returns why everything below a path may not be read. */
  #treeProblem(path: string, access: Access, isOutside: boolean): string | undefined {
    const reads = access === 'read' || access === 'search'
    const readTree = reads ? treeOf(path) : undefined
    const tree = access === 'tree' ? path : readTree
    if (isOutside && tree !== undefined && secretBelow(tree, this.#paths.home)) return "has everybody's files below it"
    return access === 'tree' && /\/\.git\/?$/.test(path)
      ? 'has the configuration of the repository below it'
      : undefined
  }

  #deciding(path: string, access: Access, strict: boolean): boolean {
    // A pattern is held against each of some twenty places, piece by piece.
    this.#budget.spend(1 + (hasWild(path) ? Math.ceil(path.length / 8) : 0))
    if (
      processSecret(path) ||
      (access === 'write' && /^\/(?:dev|proc)\//.test(path) && STANDARD_INPUT.some((file) => couldBe(path, file))) ||
      (access === 'chdir' &&
        /^\/proc\/[^/]+/.test(path) &&
        !/^\/proc\/(?:sys|net|pressure|driver|fs|bus|irq|tty)(?:\/|$)/.test(path))
    )
      return true
    const { protected: protectedPaths, readOnly } = this.#paths
    return [...protectedPaths, ...(access === 'write' ? readOnly : [])].some((tree) =>
      this.#reaches(path, tree, access, strict),
    )
  }

  #reaches(path: string, tree: string, access: Access, strict: boolean): boolean {
    if (path === tree || path.startsWith(`${tree}/`)) return true
    if (!hasWild(path)) return this.#contains(path, tree, access)
    const reached = access === 'tree' ? `${path.replace(/\/$/, '')}/${HOLE}` : path
    if (!couldReach(reached, tree)) return false
    const { fixed, wild } = splitWild(path)
    if (aims(wild, tree)) return true
    if (access === 'list' || access === 'listTree' || access === 'chdir') return false
    // With known paths, a pattern that may reach one is refused, unless it may be any path at all.
    const isAnyPath = path.includes(HOLE) && (fixed === '' || path.startsWith(HOLE))
    if (this.#paths !== ASSUMED_PATHS && (strict || !isAnyPath)) return true
    return this.#means(path, reached, tree, access, strict)
  }

  /** Returns whether a command that takes everything below a path takes a tree. */
  #contains(path: string, tree: string, access: Access): boolean {
    if (!tree.startsWith(path === '/' ? '/' : `${path}/`)) return false
    // Of the assumed layout only the location is known, not that there is a host in it.
    if (access === 'tree') return !(this.#paths === ASSUMED_PATHS && path === ASSUMED_PATHS.cwd)
    return access === 'write' && path !== this.#paths.cwd
  }

  /** Returns whether a pattern means a tree. Where no host may be, that takes letters of its own. */
  #means(path: string, reached: string, tree: string, access: Access, strict: boolean): boolean {
    const { wild } = splitWild(path)
    const isVague = written(wild).replaceAll('/', '') === ''
    if (isVague && (!strict || this.#isOpen(path, access))) return false
    if (path.includes(HOLE) && path.split('/').includes(tree.slice(tree.lastIndexOf('/') + 1))) return true
    if (!strict && path.includes(HOLE) && !pointed(wild)) return false
    if (couldBe(reached, tree)) return strict || pointed(wild)
    const files = this.#paths.readOnly.includes(tree) ? PLUGIN_FILES : DATA_FILES
    return files.some((file) => couldBe(reached, `${tree}/${file}`))
  }

  /** Returns whether a pattern stands for the files of a working directory in which a host is only assumed. */
  #isOpen(path: string, access: Access): boolean {
    if (this.#paths !== ASSUMED_PATHS || !path.startsWith(`${ASSUMED_PATHS.cwd}/`)) return false
    const { wild } = splitWild(path)
    return access === 'search' || access === 'tree' || (!wild.includes('/') && !wild.includes(HOLE))
  }

  /** The part of a path below the working directory, or undefined. */
  #below(path: string): string | undefined {
    const { cwd } = this.#paths
    if (path === cwd) return '.'
    return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : undefined
  }

  /** Variables of known meaning, and numbers, in place of what is not written out. */
  #substituted(arg: Arg): string {
    const pieces = arg.shape.includes(HOLE) ? piecesOf(arg) : undefined
    return (
      pieces
        ?.map(({ token, source, variable = '' }) => {
          if (source === 'variable') return this.#variable(variable, token)
          return source === 'arithmetic' ? STAR : token
        })
        .join('') ?? arg.pattern
    )
  }

  #variable(name: string, token: string): string {
    if (name === 'HOME') return this.#paths.home ?? ASSUMED_PATHS.home ?? token
    if (name === 'PWD') return this.#paths.cwd
    if (name === 'TMPDIR') return '/tmp'
    return /^(?:USER|LOGNAME|HOSTNAME|UID|EUID|RANDOM|SECONDS|LINENO|PPID|BASHPID|[$#?!])$/.test(name) ? STAR : token
  }

  #absolute(pattern: string, tilde: boolean): readonly string[] {
    let path = pattern
    if (tilde && /^~(?:\/|$)/.test(path)) path = `${this.#paths.home ?? ASSUMED_PATHS.home ?? ''}${path.slice(1)}`
    else if (tilde && path.startsWith('~+')) path = `${this.#paths.cwd}${path.slice(2)}`
    // The home of another user, or a folder that was entered before, may be any.
    else if (tilde && path.startsWith('~'))
      path = path.replace(/^~[^/]*/, (name) => (name === '~root' ? '/root' : HOLE))
    if (path.startsWith(HOLE)) return [path]
    if (path.startsWith('/')) return [collapse(path)]
    return this.#bases.flatMap((base) =>
      base.startsWith(HOLE)
        ? [`${base}/${path.replace(/^(?:\.\/)+/, '')}`]
        : this.#fromAnywhere(collapse(`${base}/${path}`)),
    )
  }

  /** Above the working directory of the assumed layout may be the root, however few folders were climbed. */
  #fromAnywhere(path: string): readonly string[] {
    if (this.#paths !== ASSUMED_PATHS || this.#below(path) !== undefined) return [path]
    const rest = path.replace(/^(?:\/…)+(?=\/|$)/, '')
    return rest === '' || rest === path || hasWild(rest.split('/')[1] ?? '') ? [path] : [path, rest]
  }
}

function writeProblem(path: string, isLocal: boolean): string | undefined {
  if (!isLocal && path !== '/tmp' && !path.startsWith('/tmp/') && !HARMLESS_OUTPUT.test(path))
    return 'is outside the working directory'
  return /\/\.git(?:\/|$)/.test(path) ? 'decides what git does' : undefined
}

/** Returns why a path of the system, such as a device or a process, may not be used. */
function systemProblem(path: string, access: Access): string | undefined {
  const listsRoot = access === 'listTree' && path === '/'
  if (!listsRoot && !SYSTEM.some((tree) => couldReach(path, tree))) return undefined
  return isHarmlessSystem(path, access) ? undefined : 'may show or change other processes and devices'
}

function isHarmlessSystem(path: string, access: Access): boolean {
  if (hasWild(path)) return access === 'list' && /^(?:\/dev)?$/.test(splitWild(path).fixed)
  if (access === 'write') return HARMLESS_OUTPUT.test(path)
  if (HARMLESS_DEVICE.test(path) || HARMLESS_SYSTEM.test(path)) return true
  if (access === 'list') return LISTED_SYSTEM.test(path)
  return access === 'listTree' && LISTED_SYSTEM.test(path) && /^\/(?:dev|sys)/.test(path)
}

/** Returns whether a path may hold credentials. `local` is the path within the working directory, if it is there. */
function holdsSecret(path: string, local: string, access: Access): boolean {
  const namesOnly = access === 'list' || access === 'listTree'
  if (!namesOnly && systemSecret(path)) return true
  if (namesOnly || access === 'chdir') return isSecretDirectory(local, true)
  return isSecretDirectory(local, false) || isSecretName(local)
}

/** Files of a process that show its environment, memory or state, and folders that lead to its view of the machine. */
const PROCESS_FILES = new Set([
  'environ',
  'mem',
  'cmdline',
  'maps',
  'smaps',
  'pagemap',
  'auxv',
  'stack',
  'syscall',
  'io',
  'exe',
  'personality',
  'clear_refs',
])
const PROCESS_TREES = /^(?:fd|fdinfo.*|root|cwd|map_files.*)$/s

/** Files of a process that show its environment, memory, files or view of the machine. */
function processSecret(path: string): boolean {
  const [, proc, , ...inner] = path.split('/')
  if (
    proc === 'proc' &&
    (PROCESS_FILES.has(inner.at(-1) ?? '') || inner.some((part) => PROCESS_TREES.test(part))) &&
    !HARMLESS_DEVICE.test(path)
  )
    return true
  if (!hasWild(path)) return false
  const { fixed, wild } = splitWild(path)
  if (fixed.startsWith('/proc'))
    return ['environ', 'mem', 'root', 'cwd', 'fd'].some(
      (file) => couldReach(path, `/proc/1/${file}`) || couldReach(path, `/proc/1/task/1/${file}`),
    )
  const last = written(wild.slice(wild.lastIndexOf('/') + 1))
  return (
    ['environ', 'mem', 'cmdline', 'maps'].some((file) => last.length >= 3 && couldBe(path, `/proc/1/${file}`)) ||
    (/\/(?:root|cwd|fd)\//.test(path) && ['root', 'cwd', 'fd'].some((tree) => couldReach(path, `/proc/1/${tree}`)))
  )
}

function shown(arg: Arg): string {
  return arg.shape === HOLE ? arg.text : arg.shape.replaceAll(HOLE, '…')
}

/** Whether a path that is written out leads to credentials, for tools that read files without a shell. */
export function namesSecret(path: string): boolean {
  return systemSecret(path) || processSecret(path) || isSecretDirectory(path, false) || isSecretName(path)
}
