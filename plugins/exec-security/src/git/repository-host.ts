import { createHash, randomUUID } from 'node:crypto'
import { lstat, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../real-paths.js'
import type { ViewLauncher } from '../levels/view-launcher.js'
import { runCommand } from '../run/run-command.js'
import type { ExecView } from '../view/exec-view.js'
import { harmlessSettings } from '../view/git-settings.js'
import { placeOf, type OpenRoot, type OpenRoots } from '../view/open-roots.js'
import type { GitCall, GitHost, GitStreams } from './git-door.js'
import type { GitPrograms } from './git-programs.js'
import { readPlain, repositoryPrograms } from './repository-programs.js'

interface Parts {
  readonly programs: GitPrograms
  readonly roots: OpenRoots
  /** The view of the command that asks. */
  readonly view: ExecView
  /** The folder for settings that the host has looked through. */
  readonly copies: string
  /** Further names of variables of the host that pass. */
  readonly passes: readonly string[]
  launcher(view: ExecView): ViewLauncher
}

/** A repository that a command may change. */
interface Found {
  readonly root: OpenRoot
  /** Its folder by a descriptor of this process. */
  readonly place: string
  /** Its folder as the view has it. */
  readonly folder: string
  readonly workTree: string
}

/** Where git finds the settings of the person. */
const SETTINGS = '/run/gitconfig'
/** The words after `git`: bwrap takes some thousand, and git many more. */
const WORDS = '/run/git-words'
/** A command of git ends with the command that asked for it. */
const NO_LIMIT_MS = 86_400_000

/** The exit code of git where it finds no repository. */
const NO_REPOSITORY = 128
/** The longest path of the system. */
const MAX_PATH = 4096
/** The places of worktrees and submodules in a repository. */
const OF_OTHERS = /^\/(?:worktrees\/[^/]+|modules\/.+)$/

/** Git works in no other repository, and leaves nothing running. */
const CONFIG = [
  ...['safe.bareRepository=explicit', 'core.fsmonitor=false', 'submodule.recurse=false', 'diff.submodule=short'],
  ...['core.checkStat=minimal'],
  ...['fetch.recurseSubmodules=false', 'push.recurseSubmodules=no', 'protocol.ext.allow=never'],
  ...['gc.autoDetach=false', 'maintenance.autoDetach=false'],
].map((setting) => setting.split('=') as [string, string])

const CONFIG_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries([
  ['GIT_CONFIG_COUNT', String(CONFIG.length)],
  ...CONFIG.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]),
])

/** Runs git for one command, with the repository of a root open and all other programs shut out. */
export class RepositoryHost implements GitHost {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async problem(call: GitCall): Promise<string | undefined> {
    const found = await this.#find(call)
    // Another repository is like all other files of the command.
    if (found === undefined) return ''
    if (!call.isAllowed) return `commands cannot change a repository by these words of git ${call.subcommand}`
    const programs = await repositoryPrograms(call.subcommand, found.place)
    return programs.length === 0
      ? undefined
      : `git ${call.subcommand} would run ${programs.join(', ')}: give this command alone, so that the owner is asked`
  }

  async run(call: GitCall, { input, signal, write }: GitStreams): Promise<number> {
    const { programs, roots, view, copies, launcher, passes } = this.#parts
    const found = await this.#find(call)
    if (found === undefined) return NO_REPOSITORY
    const words = join(copies, `words-${randomUUID()}`)
    try {
      await writeFile(words, call.words.join('\0'), { mode: 0o600 })
      const files = [
        { source: words, at: WORDS },
        { source: await this.#settings(), at: SETTINGS },
      ]
      const shown = { ...view, cwd: call.cwd, homeFiles: [...view.homeFiles, ...files] }
      const inner = launcher(await roots.in(shown, (root) => root === found.root))
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
          ...CONFIG_VARIABLES,
          GIT_CONFIG_GLOBAL: SETTINGS,
          ...(call.subcommand === 'init' ? {} : { GIT_DIR: found.folder, GIT_WORK_TREE: found.workTree }),
        },
      })
      return exitCode ?? NO_REPOSITORY
    } finally {
      await rm(words, { force: true })
    }
  }

  /** Returns the repository that git would find, if it is that of a root. */
  async #find({ folder, subcommand, words }: GitCall): Promise<Found | undefined> {
    const { roots } = this.#parts.roots
    if (folder.length > MAX_PATH) return undefined
    for (let at = folder; roots.some(({ path }) => isWithin(at, path)); at = dirname(at)) {
      const root = roots.find(({ path }) => path === at)
      if (root?.git !== undefined) {
        const place = placeOf(root.git)
        const isMade = subcommand === 'init' && at === folder && isInitHere(words)
        if (isMade || (await isThere(`${place}/HEAD`))) return { root, place, folder: join(at, '.git'), workTree: at }
      } else if (await isThere(join(at, '.git'))) {
        return this.#linked(at)
      }
      if (subcommand === 'init') return undefined
    }
    return undefined
  }

  /** Returns the part of a root's repository that a file below it names: that of a worktree or of a submodule. */
  async #linked(workTree: string): Promise<Found | undefined> {
    const [, named] = /^gitdir: ([^\0\n]+)\n?$/.exec((await readPlain(join(workTree, '.git'))) ?? '') ?? []
    if (named === undefined) return undefined
    const folder = resolve(workTree, named)
    const root = this.#parts.roots.roots.find(({ path }) => isWithin(folder, join(path, '.git')))
    if (root?.git === undefined) return undefined
    const inner = folder.slice(join(root.path, '.git').length)
    const place = placeOf(root.git) + inner
    return OF_OTHERS.test(inner) && (await isThere(`${place}/HEAD`)) ? { root, place, folder, workTree } : undefined
  }

  /** Writes what is harmless of the settings in the home folder of the command, and returns the file. */
  async #settings(): Promise<string> {
    const { view, copies } = this.#parts
    const name = '.gitconfig'
    const shown = view.homeFiles.find(({ at }) => at === join(view.home.at, name))
    if (shown) return shown.source
    const text = (await readPlain(join(view.home.source, name))) ?? ''
    const own = createHash('sha256').update(view.home.source).digest('hex').slice(0, 16)
    const path = join(copies, `git-${own}`)
    await writeFile(path, harmlessSettings(text), { mode: 0o600 })
    return path
  }
}

/** Whether a repository is made in the folder itself. */
const isInitHere = (words: readonly string[]): boolean =>
  words
    .slice(words.indexOf('init') + 1)
    .every((word, i, all) => word === '.' || word.startsWith('-') || /^(?:-b|--initial-branch)$/.test(all[i - 1] ?? ''))

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
