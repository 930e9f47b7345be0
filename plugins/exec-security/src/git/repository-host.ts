import { randomUUID } from 'node:crypto'
import { constants, lstat, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { isWithin } from '../real-paths.js'
import type { ViewLauncher } from '../levels/view-launcher.js'
import { runCommand } from '../run/run-command.js'
import type { ExecView } from '../view/exec-view.js'
import { O_PATH, placeOf, type OpenRoot, type OpenRoots } from '../view/open-roots.js'
import type { GitCall, GitHost, GitStreams } from './git-door.js'
import { CORE, type GitPrograms } from './git-programs.js'
import { heldSettings, SETTINGS } from './held-settings.js'
import { readPlain, repositoryPrograms } from './repository-programs.js'

interface Parts {
  readonly programs: GitPrograms
  readonly roots: OpenRoots
  /** The view of the command that asks. */
  readonly view: ExecView
  /** The folder for settings that the host has looked through. */
  readonly copies: string
  /** The folder with the copies of git. */
  readonly core: string
  /** Further names of variables of the host that pass. */
  readonly passes: readonly string[]
  launcher(view: ExecView): ViewLauncher
}

/** A repository that a command may change. */
interface Found {
  readonly root: OpenRoot
  /** The part of it that a worktree or a submodule has, from a slash on, or nothing. */
  readonly inner: string
  readonly workTree: string
}

/** The words after `git`: bwrap takes some thousand, and git many more. */
const WORDS = '/run/git-words'
/** A command of git ends with the command that asked for it. */
const NO_LIMIT_MS = 86_400_000

/** The exit code of git where it finds no repository. */
const NO_REPOSITORY = 128
/** The longest path of the system. */
const MAX_PATH = 4096
/** Names of a part of a repository: submodules of submodules. */
const MAX_DEPTH = 64
/** The places of worktrees and submodules in a repository. */
const OF_OTHERS = /^\/(?:worktrees\/[^/]+|modules\/.+)$/
const OF_SUBMODULE = /^\/modules\//
/** The part of a worktree at the end of a way in a repository. */
const WORKTREE = /\/worktrees\/[^/]+$/
/** These write settings of submodules, for which they take any folder that a command names. */
const MOVES = new Set(['mv', 'rm'])
/** The folder of a repository on a way, also where names have no case. */
const IN_REPOSITORY = /(?:^|\/)\.git(?:\/|$)/i

/** Git works in no other repository, reaches others by the proxy alone, and leaves nothing running. */
const CONFIG = [
  ...['safe.bareRepository=explicit', 'core.fsmonitor=false', 'submodule.recurse=false', 'diff.submodule=short'],
  ...['diff.ignoreSubmodules=dirty', 'core.checkStat=minimal', 'gc.worktreePruneExpire=never'],
  ...['fetch.recurseSubmodules=false', 'push.recurseSubmodules=no'],
  ...['gc.autoDetach=false', 'maintenance.autoDetach=false'],
].map((setting) => setting.split('=') as [string, string])

const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries([
  ['GIT_ALLOW_PROTOCOL', 'http:https'],
  ['GIT_EXEC_PATH', CORE],
  // A repository that git finds by itself is one of the command: as another user's, git does not read its settings.
  ['GIT_TEST_ASSUME_DIFFERENT_OWNER', '1'],
  ['GIT_CONFIG_GLOBAL', SETTINGS],
  ['GIT_CONFIG_COUNT', String(CONFIG.length)],
  ...CONFIG.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]),
])

/**
 * Runs git for one command, with the repository of a root open and all other programs shut out. Links in the folders of
 * the command lead git nowhere, and so not into the repository.
 */
export class RepositoryHost implements GitHost {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async problem(call: GitCall): Promise<string | undefined> {
    const found = await this.#find(call)
    // Another repository is like all other files of the command.
    if (found === undefined) return ''
    const isInSubmodule = OF_SUBMODULE.test(found.inner)
    if (!call.isAllowed || (isInSubmodule && MOVES.has(call.subcommand)))
      return `commands cannot change a repository by these words of git ${call.subcommand}`
    if (call.worktree !== undefined && !(await this.#isShown(call.worktree)))
      return 'commands cannot change worktrees that they do not see'
    const programs = await repositoryPrograms(call.subcommand, settingsOf(found))
    return programs.length === 0
      ? undefined
      : `git ${call.subcommand} would run ${programs.join(', ')}: give this command alone, so that the owner is asked`
  }

  async run(call: GitCall, { input, signal, write }: GitStreams): Promise<number> {
    const { programs, copies, passes, roots } = this.#parts
    const found = await this.#find(call)
    if (found === undefined) return NO_REPOSITORY
    const words = join(copies, `words-${randomUUID()}`)
    const handles: FileHandle[] = []
    try {
      await writeFile(words, call.words.join('\0'), { mode: 0o600 })
      const inner = await this.#launcher(call, found, words, handles)
      const { exitCode } = await runCommand('exec "$@"', {
        cwd: call.cwd,
        passes,
        input,
        signal,
        onBytes: write,
        maxOutput: 0,
        limitMs: NO_LIMIT_MS,
        launcher: {
          level: 'wall',
          launch: (text) => inner.launch(text, programs.command(WORDS)),
          ended: () => inner.ended(),
        },
        env: {
          ...call.env,
          ...VARIABLES,
          ...(call.subcommand === 'init' ? {} : { GIT_DIR: folderOf(found), GIT_WORK_TREE: found.workTree }),
        },
      })
      return exitCode ?? NO_REPOSITORY
    } finally {
      await rm(words, { force: true })
      await Promise.all(handles.map((handle) => handle.close()))
      await roots.tidy()
    }
  }

  async #launcher(
    { cwd }: GitCall,
    { root, inner }: Found,
    words: string,
    handles: FileHandle[],
  ): Promise<ViewLauncher> {
    const { roots, view, launcher, copies, core } = this.#parts
    const files = [
      { source: core, at: CORE },
      { source: words, at: WORDS },
      { source: await heldSettings(view, copies), at: SETTINGS },
    ]
    const shown = { ...view, cwd, files: [...view.files, ...files], isInert: true }
    return launcher(await roots.in(shown, { root, inner }, handles))
  }

  /** Returns whether a folder is there, on a way without links. */
  async #isShown(folder: string): Promise<boolean> {
    const root = this.#parts.roots.roots.findLast(({ path }) => isWithin(folder, path))
    if (root === undefined) return false
    return eachFolder(placeOf(root.descriptor), relative(root.path, folder), async () => undefined)
  }

  /**
   * Returns the repository that git would find, if it is that of a root. The way to the folder is followed without
   * links, since a command may have made them.
   */
  async #find({ folder, cwd, subcommand, words }: GitCall): Promise<Found | undefined> {
    const { roots } = this.#parts.roots
    const outer = roots.find(({ path }) => isWithin(folder, path))
    if (outer === undefined || folder.length > MAX_PATH) return undefined
    if (IN_REPOSITORY.test(folder) || IN_REPOSITORY.test(cwd)) return undefined
    let found = await ofRoot(outer)
    const isThere = await eachFolder(placeOf(outer.descriptor), relative(outer.path, folder), async (place, below) => {
      const at = join(outer.path, below)
      const root = roots.find(({ path }) => path === at)
      if (root) found = (await ofRoot(root)) ?? found
      else if (await exists(`${place}/.git`)) found = await this.#linked(place, at)
    })
    if (!isThere) return undefined
    if (subcommand !== 'init') return found
    const root = roots.find(({ path, git }) => path === folder && git !== undefined)
    return root && isInitHere(words) ? { root, inner: '', workTree: folder } : undefined
  }

  /** Returns the part of a root's repository that a file below it names: that of a worktree or of a submodule. */
  async #linked(place: string, workTree: string): Promise<Found | undefined> {
    const [, named] = /^gitdir: ([^\0\n]+)\n?$/.exec((await readPlain(`${place}/.git`)) ?? '') ?? []
    if (named === undefined) return undefined
    const folder = resolve(workTree, named)
    const root = this.#parts.roots.roots.find(({ path }) => isWithin(folder, join(path, '.git')))
    if (root?.git === undefined) return undefined
    const inner = folder.slice(join(root.path, '.git').length)
    if (!OF_OTHERS.test(inner) || inner.split('/').length > MAX_DEPTH) return undefined
    let isRepository = false
    const own = join(workTree, '.git')
    const isThere = await eachFolder(placeOf(root.git), inner.slice(1), async (at, below) => {
      // A worktree is that of the folder that it names, and of no other one.
      const named = WORKTREE.test(`/${below}`) ? ((await readPlain(`${at}/gitdir`)) ?? '').trimEnd() : undefined
      const isOther = named !== undefined && resolve(root.path, '.git', below, named) !== own
      isRepository = !isOther && (await exists(`${at}/HEAD`))
    })
    return isThere && isRepository ? { root, inner, workTree } : undefined
  }
}

/** The folder of a repository as the view has it. */
const folderOf = ({ root, inner }: Found): string => join(root.path, '.git', inner)

/** The folder with the settings of a repository: a worktree has those of the whole. */
const settingsOf = ({ root, inner }: Found): string => placeOf(root.git ?? -1) + inner.replace(WORKTREE, '')

async function ofRoot(root: OpenRoot): Promise<Found | undefined> {
  const isRepository = root.git !== undefined && (await exists(`${placeOf(root.git)}/HEAD`))
  return isRepository ? { root, inner: '', workTree: root.path } : undefined
}

/**
 * Calls a function with each folder on a way below a place, by a path of this process. Returns whether all of them are
 * there. Links count as missing.
 */
async function eachFolder(
  place: string,
  way: string,
  use: (place: string, below: string) => Promise<void>,
): Promise<boolean> {
  let handle: FileHandle | undefined
  let below = ''
  try {
    for (const name of way.split(sep).filter((part) => part !== '')) {
      const at = handle ? placeOf(handle.fd) : place
      const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
      const next: FileHandle | undefined = await open(join(at, name), flags).catch(() => undefined)
      if (next === undefined) return false
      await handle?.close()
      handle = next
      below = join(below, name)
      await use(placeOf(handle.fd), below)
    }
    return true
  } finally {
    await handle?.close()
  }
}

/** Whether a repository is made in the folder itself. */
const isInitHere = (words: readonly string[]): boolean =>
  words
    .slice(words.indexOf('init') + 1)
    .every((word, i, all) => word === '.' || word.startsWith('-') || /^(?:-b|--initial-branch)$/.test(all[i - 1] ?? ''))

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
