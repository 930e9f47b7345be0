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
import type { RunFolder } from '../view/run-folder.js'
import { OpenRoots } from '../view/open-roots.js'
import { ViewLauncher, type WallTools } from './view-launcher.js'

/** The parts of a command at level `wall`. */
export interface WallParts {
  readonly tools: WallTools
  readonly view: ExecView
  readonly run: RunFolder
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
    const { view, run, tools } = this.#parts
    const settings = { source: await heldSettings(view, join(run.path, 'settings')), at: SETTINGS }
    const open = { root: 'all', inner: '', isByName: tools.perl === undefined } as const
    const shown = await roots.in({ ...view, files: [...view.files, settings] }, open)
    const launch = await (this.#inner = this.#launcher(shown)).launch(command)
    return { ...launch, env: { ...launch.env, GIT_CONFIG_GLOBAL: SETTINGS } }
  }

  async #openDoor(roots: OpenRoots, { programs, passes }: WallGit): Promise<ExecView['door']> {
    const { view, run } = this.#parts
    const launcher = (shown: ExecView): ViewLauncher => this.#launcher(shown)
    const copies = join(run.path, 'settings')
    const core = await run.prepared('git-core', (path) => programs.copyTo(path))
    const host = new RepositoryHost({ programs, roots, view, copies, core, passes, launcher })
    const socket = run.socket()
    this.#door = await GitDoor.open(socket, host)
    const { perl, git } = programs
    const shim = await run.prepared('git', (path) => writeFile(path, gitShim(perl, git), { mode: 0o755 }))
    return { socket, shim }
  }

  #launcher(view: ExecView): ViewLauncher {
    const { tools, limits, group } = this.#parts
    return new ViewLauncher(tools, view, limits, group?.())
  }
}
