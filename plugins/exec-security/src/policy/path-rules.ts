// Decides on paths by sets: a word is every path that it may become, and that set is held against what is out of reach.
import type { Budget } from './budget.js'
import { couldBe, couldReach, hasWild, splitWild, written } from './patterns.js'
import { ASSUMED_PATHS, type ExecPaths } from './exec-paths.js'
import { firstReason } from './first-reason.js'
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

/** What is done with a path: its content read or only searched, everything below it read, its name and attributes looked at, those of everything below it, or it is changed. */
export type Access = 'read' | 'search' | 'tree' | 'list' | 'listTree' | 'chdir' | 'write'

/** Files that stand for all of the data directory, where a pattern without letters of its own may reach it. */
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

/** Decides on the paths of one command line. */
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

  /** From here on relative paths may begin at this folder, too. */
  chdir(folder: Arg): void {
    const reached = this.resolve(folder)
    const bases = [...new Set([...this.#bases, ...reached])]
    this.#bases = bases.length > MAX_BASES ? [this.#paths.cwd, HOLE] : bases
  }

  /** Every absolute path that a word may become, as patterns. */
  resolve(arg: Arg): readonly string[] {
    const [output] = arg.outputs
    // What `<(…)` becomes is a descriptor, and the command in it is looked at by itself.
    if (arg.shape === HOLE && arg.sources[0] === 'process') return ['/dev/fd/1']
    if (arg.shape === HOLE && arg.sources[0] === 'command' && output?.kind === 'paths')
      return output.patterns.flatMap((pattern) => this.#absolute(pattern, pattern.startsWith('~')))
    const paths = this.#absolute(this.#substituted(arg), hasTilde(arg))
    return mayClimb(arg) ? [...paths, HOLE] : paths
  }

  /**
   * Why a word is a path that decides over the host itself: its data, its configuration, its plugins, another process.
   * This holds in every mode; a strict look takes what is vague for it, too.
   */
  denyProtected(arg: Arg, access: Access, strict = false): string | undefined {
    const hit = this.resolve(arg).some((path) => this.#deciding(path, access, strict))
    return hit ? `${shown(arg)} may be part of what decides over this host` : undefined
  }

  /** Why a word is not a path that may be used without asking, or undefined. */
  deny(arg: Arg, access: Access): string | undefined {
    const touched = this.denyProtected(arg, access, true)
    if (touched !== undefined) return touched
    const problem = firstReason(this.resolve(arg), (path) => this.#problem(path, arg, access))
    return problem === undefined ? undefined : `${shown(arg)} ${problem}`
  }

  /** Whether every path that a word may become lies below the working directory or the folder of temporary files. */
  isLocal(arg: Arg): boolean {
    return this.resolve(arg).every(
      (path) => this.#below(path) !== undefined || path === '/tmp' || path.startsWith('/tmp/'),
    )
  }

  /** Whether a word may become the whole working directory, or everything below it. */
  isWide(arg: Arg): boolean {
    const { cwd } = this.#paths
    return this.resolve(arg).some(
      (path) => path === cwd || path === '/' || cwd.startsWith(`${path}/`) || this.#isBare(path),
    )
  }

  /** Whether a word is a pattern without letters of its own that, in a layout which is not known, stands for what decides as for any other file. */
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
    if (path === HOLE) return 'is only known when it runs'
    const local = this.#below(path)
    if (
      access === 'write' &&
      local === undefined &&
      path !== '/tmp' &&
      !path.startsWith('/tmp/') &&
      !HARMLESS_OUTPUT.test(path)
    )
      return 'is outside the working directory'
    if (access === 'write' && /\/\.git(?:\/|$)/.test(path)) return 'decides what git does'
    if (local === undefined && arg.text.startsWith('/') && /\/\.\.(?:\/|$)/.test(arg.shape))
      return 'climbs out of a folder, which may be a link'
    const names = access === 'list' || access === 'listTree'
    if ((access === 'listTree' && path === '/') || SYSTEM.some((tree) => couldReach(path, tree))) {
      const fixed = !hasWild(path)
      const harmless =
        fixed &&
        (access === 'write'
          ? HARMLESS_OUTPUT.test(path)
          : HARMLESS_DEVICE.test(path) ||
            HARMLESS_SYSTEM.test(path) ||
            (names && LISTED_SYSTEM.test(path) && (access === 'list' || /^\/(?:dev|sys)/.test(path))))
      if (!harmless && !(hasWild(path) && access === 'list' && /^(?:\/dev)?$/.test(splitWild(path).fixed)))
        return 'may show or change other processes and devices'
    }
    const tree = access === 'tree' ? path : access === 'read' || access === 'search' ? treeOf(path) : undefined
    if (local === undefined && tree !== undefined && secretBelow(tree, this.#paths.home))
      return "has everybody's files below it"
    if (access === 'tree' && /\/\.git\/?$/.test(path)) return 'has the configuration of the repository below it'
    const secret =
      (!names && systemSecret(path)) ||
      (names || access === 'chdir'
        ? isSecretDirectory(local ?? path, true)
        : isSecretDirectory(local ?? path, false) || isSecretName(local ?? path))
    return secret ? 'may hold credentials' : undefined
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
    if (!hasWild(path)) {
      // Recursion from above. Of the assumed layout only the place is known, not that there is a host in it.
      const above = tree.startsWith(path === '/' ? '/' : `${path}/`)
      return (
        above &&
        ((access === 'tree' && !(this.#paths === ASSUMED_PATHS && path === ASSUMED_PATHS.cwd)) ||
          (access === 'write' && path !== this.#paths.cwd))
      )
    }
    const reached = access === 'tree' ? `${path.replace(/\/$/, '')}/${HOLE}` : path
    if (!couldReach(reached, tree)) return false
    const { fixed, wild } = splitWild(path)
    if (aims(wild, tree)) return true
    if (access === 'list' || access === 'listTree' || access === 'chdir') return false
    // Where the places are known, what may reach them is refused, but for what may be any path at all.
    if (this.#paths !== ASSUMED_PATHS && (strict || (fixed !== '' && !path.startsWith(HOLE)) || !path.includes(HOLE)))
      return true
    // Where it is not known that there is a host at all, a pattern must have letters of its own to mean it.
    const vague = written(wild).replaceAll('/', '') === ''
    const open =
      this.#paths === ASSUMED_PATHS &&
      path.startsWith(`${ASSUMED_PATHS.cwd}/`) &&
      (access === 'search' || access === 'tree' || (!wild.includes('/') && !wild.includes(HOLE)))
    if (vague && (!strict || open)) return false
    if (path.includes(HOLE) && path.split('/').includes(tree.slice(tree.lastIndexOf('/') + 1))) return true
    if (!strict && path.includes(HOLE) && !pointed(wild)) return false
    if (couldBe(reached, tree)) return strict || pointed(wild)
    const files = this.#paths.readOnly.includes(tree) ? PLUGIN_FILES : DATA_FILES
    return files.some((file) => couldBe(reached, `${tree}/${file}`))
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
        ?.map(({ token, source, variable = '' }) =>
          source === 'variable' ? this.#variable(variable, token) : source === 'arithmetic' ? STAR : token,
        )
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
    // The home of somebody else, or a folder that was entered before, may be any.
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

/** Variables that hold what was written before, or was given by others. */
const FED = /^(?:[_@*]|[1-9]\d*|REPLY|OLDPWD|OPTARG|BASH_\w+)$/

/** Whether text that is only known when it runs stands behind the beginning of a path, and may lead up again. */
function mayClimb(arg: Arg): boolean {
  if (
    arg.pattern
      .split('/')
      .slice(0, -1)
      .some((part) => part.startsWith('.') && hasWild(part) && couldBe(part.replaceAll(HOLE, STAR), '..'))
  )
    return true
  if (!arg.shape.includes(HOLE, 1)) return false
  if (
    arg.outputs.some(
      (output) =>
        output.kind === 'unknown' ||
        (output.kind === 'text'
          ? output.text.includes('..')
          : output.kind === 'paths' && output.patterns.some((pattern) => pattern.includes('..'))),
    )
  )
    return true
  return (
    arg.sources.includes('input') ||
    arg.variables.some((name) => FED.test(name)) ||
    (arg.sources.includes('brace') && /(?:^|[{,/])\.\.(?:[},/]|$)/.test(arg.text))
  )
}

/** The folder of which a pattern may be any file, however deep; none where its last component has letters of its own. */
function treeOf(path: string): string | undefined {
  const at = path.indexOf(`/${HOLE}`)
  return at >= 0 && written(path.slice(at)).replaceAll('/', '') === '' ? path.slice(0, at) || '/' : undefined
}

/** A pattern whose own letters say that it means a certain path: `dat?` does, `*` and `d*` do not. */
function aims(wild: string, tree: string): boolean {
  const name = tree.slice(tree.lastIndexOf('/') + 1)
  return wild
    .split('/')
    .some((part) => written(part).length >= 2 && hasWild(part) && couldBe(part.replaceAll(HOLE, STAR), name))
}

/** A pattern that names more of a file than its extension. */
function pointed(wild: string): boolean {
  return wild.split('/').some((part) => written(part).replace(/\.\w+$/, '').length >= 2)
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

/** What belongs to a process and shows its environment, memory, files or view of the machine. */
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

function collapse(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    // Behind a folder of a process `..` leads where that folder does.
    if (part === '..' && !(parts[0] === 'proc' && parts.length > 1)) parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

function shown(arg: Arg): string {
  return arg.shape === HOLE ? arg.text : arg.shape.replaceAll(HOLE, '…')
}

/** Whether a path that is written out leads to credentials, for tools that read files without a shell. */
export function namesSecret(path: string): boolean {
  return systemSecret(path) || processSecret(path) || isSecretDirectory(path, false) || isSecretName(path)
}
