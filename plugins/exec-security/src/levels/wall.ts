import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GitDoor } from '../git/git-door.js'
import type { GitPrograms } from '../git/git-programs.js'
import { gitShim } from '../git/git-shim.js'
import { heldSettings, SETTINGS } from '../git/held-settings.js'
import { RepositoryHost } from '../git/repository-host.js'
import type { Cgroup } from '../limits/cgroups.js'
import type { ExecLimits } from '../limits/limits.js'
import type { Launch, Launcher } from '../run/launch.js'
import type { ExecView } from '../view/exec-view.js'
import { OpenRoots } from '../view/open-roots.js'
import { ViewLauncher, type WallTools } from './view-launcher.js'

/** The parts of a command at level `wall`. */
export interface WallParts {
  readonly tools: WallTools
  readonly view: ExecView
  /** The folder for the files of commands. */
  readonly folder: string
  readonly limits: ExecLimits
  /** Makes a group for one process and what it starts. */
  group?(): Cgroup | undefined
  /** The way to git, where this machine can hold it. */
  readonly git?: WallGit | undefined
  /** Whether the command itself may change repositories. */
  readonly isOpen?: boolean | undefined
}

export interface WallGit {
  readonly programs: GitPrograms
  /** Further names of variables of the host that pass. */
  readonly passes: readonly string[]
}

/** Starts a command in a view, with its roots by descriptors, and with a way to git. */
export class WallLauncher implements Launcher {
  readonly level = 'wall'
  readonly #parts: WallParts
  #roots: OpenRoots | undefined
  #door: GitDoor | undefined
  #inner: ViewLauncher | undefined

  constructor(parts: WallParts) {
    this.#parts = parts
  }

  /** @throws Error if a root cannot be opened */
  async launch(command: string): Promise<Launch> {
    const { view, git, isOpen = false } = this.#parts
    try {
      const roots = (this.#roots = await OpenRoots.of(view.roots))
      const hasRepository = roots.roots.some((root) => root.git !== undefined)
      const door = git && hasRepository && !isOpen ? await this.#openDoor(roots, git) : undefined
      if (isOpen) return await this.#launchOpen(command, roots)
      this.#inner = this.#launcher({ ...(await roots.in(view)), door })
      return await this.#inner.launch(command)
    } catch (error) {
      await this.ended()
      throw error
    }
  }

  async ended(): Promise<void> {
    await this.#door?.close()
    await this.#inner?.ended()
    await this.#roots?.close()
  }

  /** Starts a command that changes repositories itself, without settings of git that others have made. */
  async #launchOpen(command: string, roots: OpenRoots): Promise<Launch> {
    const { view, folder, tools } = this.#parts
    const settings = { source: await heldSettings(view, join(folder, 'settings')), at: SETTINGS }
    const open = { root: 'all', inner: '', isByName: tools.perl === undefined } as const
    const shown = await roots.in({ ...view, files: [...view.files, settings] }, open)
    const launch = await (this.#inner = this.#launcher(shown)).launch(command)
    return { ...launch, env: { ...launch.env, GIT_CONFIG_GLOBAL: SETTINGS } }
  }

  async #openDoor(roots: OpenRoots, { programs, passes }: WallGit): Promise<ExecView['door']> {
    const { view, folder } = this.#parts
    const launcher = (shown: ExecView): ViewLauncher => this.#launcher(shown)
    const copies = join(folder, 'settings')
    const socket = join(folder, `${randomUUID().slice(0, 8)}.sock`)
    this.#door = await GitDoor.open(socket, new RepositoryHost({ programs, roots, view, copies, passes, launcher }))
    return { socket, shim: await shimOf(programs, folder) }
  }

  #launcher(view: ExecView): ViewLauncher {
    const { tools, limits, group } = this.#parts
    return new ViewLauncher(tools, view, limits, group?.())
  }
}

const SHIMS = new Map<string, Promise<string>>()

/** Writes the program that stands for git once, and returns its path. */
function shimOf({ perl, git }: GitPrograms, folder: string): Promise<string> {
  const path = join(folder, 'git')
  let made = SHIMS.get(path)
  if (!made) SHIMS.set(path, (made = writeFile(path, gitShim(perl, git), { mode: 0o755 }).then(() => path)))
  return made
}
