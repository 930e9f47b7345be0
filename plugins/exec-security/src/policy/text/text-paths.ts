// Decides on paths where the text of a command is all that is judged.
import { firstReason } from '../first-reason.js'
import { shownPath, type Access, type PathRules } from '../path-rules.js'
import { isLeftOut, treeOf } from '../path-shapes.js'
import { couldBe, couldReach, hasWild, splitWild, written } from '../patterns.js'
import { isSecretDirectory, isSecretName, secretBelow } from '../secrets.js'
import { HARMLESS_DEVICE, HARMLESS_OUTPUT, systemSecret } from '../system-paths.js'
import { HOLE, type Arg } from '../words.js'
import { HARMLESS_SYSTEM, LISTED_SYSTEM, SYSTEM } from './system-facts.js'

/** The paths that a listed command may use without a question. */
export class TextPaths {
  readonly rules: PathRules

  constructor(rules: PathRules) {
    this.rules = rules
  }

  /** Returns why a word is a path that may not be used without asking. */
  deny(arg: Arg, access: Access): string | undefined {
    const { rules } = this
    if (rules.resolve(arg).some((path) => path.startsWith(HOLE))) return `${shownPath(arg)} is only known when it runs`
    const touched = rules.denyProtected(arg, access, true)
    if (touched !== undefined) return touched
    const problem = firstReason(rules.resolve(arg), (path) => this.#problem(path, arg, access))
    return problem === undefined ? undefined : `${shownPath(arg)} ${problem}`
  }

  /**
   * Returns why what a pattern or a folder may reach in the working directory holds credentials.
   *
   * @param shows whether the program would show a file, by its path in the working directory
   */
  denySecrets(arg: Arg, access: Access, shows: (path: string) => boolean): string | undefined {
    const { rules } = this
    const { cwd, secrets } = rules.places
    if (secrets === undefined) return undefined
    const reached = rules
      .resolve(arg)
      .map((path) => (access === 'tree' ? `${path.replace(/\/(?:\.)?$/, '')}/${HOLE}` : path))
      .filter(hasWild)
    if (reached.length === 0) return undefined
    const { all } = secrets
    if (all === undefined) return `${shownPath(arg)} has more files below it than can be looked at`
    const found = all.find((file) => {
      rules.spend()
      return reached.some((path) => couldBe(path, file) && !isLeftOut(path, file)) && shows(file.slice(cwd.length + 1))
    })
    return found === undefined
      ? undefined
      : `${shownPath(arg)} reaches ${found.slice(cwd.length + 1)}, which may hold credentials`
  }

  /** Returns whether a word may become the whole working directory, or everything below it. */
  isWide(arg: Arg): boolean {
    const { rules } = this
    const { cwd } = rules.places
    return rules
      .resolve(arg)
      .some((path) => path === cwd || path === '/' || cwd.startsWith(`${path}/`) || this.#isBare(path))
  }

  /** Returns whether everything below what a word may become is more than the files of the working directory. */
  holdsMore(arg: Arg): boolean {
    const { rules } = this
    const { cwd, protected: protectedPaths } = rules.places
    const isAlone = !rules.areAssumed && !protectedPaths.some((path) => path.startsWith(`${cwd}/`))
    return this.isWide(arg) && !(isAlone && rules.resolve(arg).every((path) => rules.below(path) !== undefined))
  }

  /**
   * Returns whether a word is a pattern without letters of its own that may match protected files of the assumed
   * layout.
   */
  isAny(arg: Arg): boolean {
    const { rules } = this
    return rules.areAssumed && rules.resolve(arg).some((path) => this.#isBare(path))
  }

  #isBare(path: string): boolean {
    const { rules } = this
    return (
      hasWild(path) &&
      couldReach(path, `${rules.places.cwd}/data`) &&
      written(splitWild(path).wild).replaceAll('/', '') === ''
    )
  }

  #problem(path: string, arg: Arg, access: Access): string | undefined {
    const { rules } = this
    const local = rules.below(path)
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
    const { rules } = this
    const reads = access === 'read' || access === 'search'
    const readTree = reads ? treeOf(path) : undefined
    const tree = access === 'tree' ? path : readTree
    if (isOutside && tree !== undefined && secretBelow(tree, rules.places.home)) return "has everybody's files below it"
    return access === 'tree' && /\/\.git\/?$/.test(path)
      ? 'has the configuration of the repository below it'
      : undefined
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
