// Decides on paths by sets: a word is every path that it may become, and that set is held against what is out of reach.
import type { Budget } from './budget.js'
import { couldBe, couldReach, hasWild, splitWild, written } from './patterns.js'
import { ASSUMED_PATHS, type ExecPaths } from './exec-paths.js'
import { aims, collapse, mayClimb, pointed } from './path-shapes.js'
import { isSecretDirectory, isSecretName } from './secrets.js'
import { HARMLESS_DEVICE, systemSecret } from './system-paths.js'
import { GIVEN, HOLE, STAR, hasTilde, piecesOf, staticArg, type Arg } from './words.js'

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

/** To write these is to write what standard input was opened from, and to link to them is to lead there. */
const STANDARD_INPUT = ['/dev/fd', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']

/** A step back that is left in a path follows a folder of a process, and a descriptor may be any folder. */
const LEADS_ELSEWHERE = /^\/.*\/\.\.(?:\/|$)|^\/dev\/(?:fd\/[^/]+|std(?:in|out|err))\//s

const HOME = staticArg('~')

/** Folders that a script may enter before all is possible. */
const MAX_BASES = 12

/** The rules for the paths of one command line. */
export class PathRules {
  /** The places of the host. */
  readonly places: ExecPaths
  readonly #budget: Budget

  /** Where relative paths may begin: the working directory, and every folder that the script may have entered. */
  #bases: readonly string[]
  /** The folders that a tilde may become: the home folder, and every other one that the script may have set. */
  #homes: readonly string[]
  /** Whether a command enters the home folder by its variable. */
  #entersHome = false
  /** Folders in which some command works, by the words that name them. */
  readonly #worked = new Set<string>()

  constructor(paths: ExecPaths | undefined, budget: Budget) {
    this.#budget = budget
    this.places = paths ?? ASSUMED_PATHS
    this.#bases = [this.places.cwd]
    this.#homes = [this.places.home ?? ASSUMED_PATHS.home ?? '']
  }

  /** Whether the places are those of the usual layout, since the host did not name its own. */
  get areAssumed(): boolean {
    return this.places === ASSUMED_PATHS
  }

  /** Adds a folder from which relative paths may begin. */
  chdir(folder: Arg): void {
    const reached = this.resolve(folder)
    const bases = [...new Set([...this.#bases, ...reached])]
    this.#bases = bases.length > MAX_BASES ? [this.places.cwd, HOLE] : bases
  }

  /** Adds the folders that a command enters one after the other, once for all commands that enter the same. */
  workIn(folders: readonly Arg[]): void {
    const key = folders.map(({ pattern }) => pattern).join('\n')
    if (folders.length === 0 || this.#worked.has(key)) return
    this.#worked.add(key)
    for (const folder of folders) this.chdir(folder)
  }

  /** Adds a folder that a tilde may become. */
  setHome(folder: Arg): void {
    this.#homes = [...new Set([...this.#homes, ...this.resolve(folder)])]
    if (this.#entersHome) this.chdir(folder)
  }

  /** Adds the home folder as one from which relative paths may begin. */
  enterHome(): void {
    this.#entersHome = true
    this.chdir(HOME)
  }

  /** Takes work of the decision. */
  spend(): void {
    this.#budget.spend()
  }

  /** Returns every absolute path that a word may become, as patterns. */
  resolve(arg: Arg): readonly string[] {
    // `<(…)` becomes a descriptor, and the command in it is evaluated by itself.
    if (arg.shape === HOLE && arg.sources[0] === 'process') return ['/dev/fd/1']
    const folders = arg.variables.some((name) => name.replace(GIVEN, '') === 'PWD') ? this.#bases : [this.places.cwd]
    const paths = folders.flatMap((folder) => this.#absolute(this.#substituted(arg, folder), hasTilde(arg)))
    return mayClimb(arg) ? [...paths, HOLE] : paths
  }

  /**
   * Returns why a word is a path that decides over the host itself: its data, configuration, plugins, or another
   * process.
   * This applies in every mode. With `strict`, a vague pattern counts as such a path.
   */
  denyProtected(arg: Arg, access: Access, strict = false): string | undefined {
    const hit = this.resolve(arg).some((path) => this.#deciding(path, access, strict))
    return hit ? `${shownPath(arg)} may be part of what decides over this host` : undefined
  }

  /** Returns whether every path that a word may become is in the working directory. */
  isBelow(arg: Arg): boolean {
    return this.resolve(arg).every((path) => this.below(path) !== undefined)
  }

  /** Returns whether every path that a word may become is in the working directory or in `/tmp`. */
  isLocal(arg: Arg): boolean {
    return this.resolve(arg).every(
      (path) => this.below(path) !== undefined || path === '/tmp' || path.startsWith('/tmp/'),
    )
  }

  /** Returns whether a path is the home folder, or is in it. */
  isInHome(path: string): boolean {
    const home = this.places.home ?? ''
    return home !== '' && (path === home || path.startsWith(`${home}/`))
  }

  #deciding(path: string, access: Access, strict: boolean): boolean {
    // A pattern is held against each of some twenty places, piece by piece.
    this.#budget.spend(1 + (hasWild(path) ? Math.ceil(path.length / 8) : 0))
    if (
      processSecret(path) ||
      LEADS_ELSEWHERE.test(path) ||
      (access === 'write' && /^\/(?:dev|proc)\//.test(path) && STANDARD_INPUT.some((file) => couldBe(path, file))) ||
      (access === 'chdir' &&
        /^\/proc\/[^/]+/.test(path) &&
        !/^\/proc\/(?:sys|net|pressure|driver|fs|bus|irq|tty)(?:\/|$)/.test(path))
    )
      return true
    const { protected: protectedPaths, readOnly } = this.places
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
    if (!this.areAssumed && (strict || !isAnyPath)) return true
    return this.#means(path, reached, tree, access, strict)
  }

  /** Returns whether a command that takes everything below a path takes a tree. */
  #contains(path: string, tree: string, access: Access): boolean {
    if (!tree.startsWith(path === '/' ? '/' : `${path}/`)) return false
    // Of the assumed layout only the location is known, not that there is a host in it.
    if (access === 'tree') return !(this.areAssumed && path === ASSUMED_PATHS.cwd)
    return access === 'write' && path !== this.places.cwd
  }

  /** Returns whether a pattern means a tree. Where no host may be, that takes letters of its own. */
  #means(path: string, reached: string, tree: string, access: Access, strict: boolean): boolean {
    const { wild } = splitWild(path)
    const isVague = written(wild).replaceAll('/', '') === ''
    if (isVague && (!strict || this.#isOpen(path, access))) return false
    if (path.includes(HOLE) && path.split('/').includes(tree.slice(tree.lastIndexOf('/') + 1))) return true
    if (!strict && path.includes(HOLE) && !pointed(wild)) return false
    if (couldBe(reached, tree)) return strict || pointed(wild)
    const files = this.places.readOnly.includes(tree) ? PLUGIN_FILES : DATA_FILES
    return files.some((file) => couldBe(reached, `${tree}/${file}`))
  }

  /** Returns whether a pattern stands for the files of a working directory in which a host is only assumed. */
  #isOpen(path: string, access: Access): boolean {
    if (!this.areAssumed || !path.startsWith(`${ASSUMED_PATHS.cwd}/`)) return false
    const { wild } = splitWild(path)
    return access === 'search' || access === 'tree' || (!wild.includes('/') && !wild.includes(HOLE))
  }

  /** The part of a path below the working directory, or undefined. */
  below(path: string): string | undefined {
    const { cwd } = this.places
    if (path === cwd) return '.'
    return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : undefined
  }

  /** Variables of known meaning, and numbers, in place of what is not written out. `folder` is the current one. */
  #substituted(arg: Arg, folder: string): string {
    const pieces = arg.shape.includes(HOLE) ? piecesOf(arg) : undefined
    return (
      pieces
        ?.map(({ token, source, variable = '' }) => {
          if (source === 'variable') return this.#variable(variable.replace(GIVEN, ''), token, folder)
          return source === 'arithmetic' ? STAR : token
        })
        .join('') ?? arg.pattern
    )
  }

  #variable(name: string, token: string, folder: string): string {
    if (name === 'HOME') return this.places.home ?? ASSUMED_PATHS.home ?? token
    if (name === 'PWD') return folder
    if (name === 'TMPDIR') return '/tmp'
    return /^(?:USER|LOGNAME|HOSTNAME|UID|EUID|RANDOM|SECONDS|LINENO|PPID|BASHPID|[$#?!])$/.test(name) ? STAR : token
  }

  #absolute(pattern: string, tilde: boolean): readonly string[] {
    if (tilde && /^~(?:\/|$)/.test(pattern))
      return this.#homes.flatMap((home) => this.#absolute(home + pattern.slice(1), false))
    const visited = tilde ? /^~(?:[-+]\d*|\d+)(?=\/|$)/.exec(pattern)?.[0] : undefined
    if (visited !== undefined) return this.#visited(visited, pattern.slice(visited.length))
    // The home of another user may be any.
    const path = tilde ? pattern.replace(/^~[^/]*/, (name) => (name === '~root' ? '/root' : HOLE)) : pattern
    if (path.startsWith(HOLE)) return [path]
    if (path.startsWith('/')) return [collapse(path)]
    return this.#bases.flatMap((base) =>
      base.startsWith(HOLE)
        ? [`${base}/${path.replace(/^(?:\.\/)+/, '')}`]
        : this.#fromAnywhere(collapse(`${base}/${path}`)),
    )
  }

  /** Returns the paths behind `~+`, the current folder, or behind one of those that were entered before. */
  #visited(name: string, rest: string): readonly string[] {
    const paths = this.#absolute(`.${rest}`, false)
    return name === '~+' ? paths : [HOLE + rest, ...paths]
  }

  /** Above the working directory of the assumed layout may be the root, however few folders were climbed. */
  #fromAnywhere(path: string): readonly string[] {
    if (!this.areAssumed || this.below(path) !== undefined) return [path]
    const rest = path.replace(/^(?:\/…)+(?=\/|$)/, '')
    return rest === '' || rest === path || hasWild(rest.split('/')[1] ?? '') ? [path] : [path, rest]
  }
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

/** A word as it is shown in a reason. */
export function shownPath(arg: Arg): string {
  return arg.shape === HOLE ? arg.text : arg.shape.replaceAll(HOLE, '…')
}

/** Whether a path that is written out leads to credentials, for tools that read files without a shell. */
export function namesSecret(path: string): boolean {
  return systemSecret(path) || processSecret(path) || isSecretDirectory(path, false) || isSecretName(path)
}
