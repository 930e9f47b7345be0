// Commands at each level in a test, with the tools that the probe has found on this machine.
import { rm } from 'node:fs/promises'
import { FilesLauncher, NoneLauncher } from '../levels/below-wall.js'
import type { ExecLevel } from '../levels/level.js'
import { findReaper, probeLevels, tryFiles, type Levels } from '../levels/probe.js'
import { WallLauncher, type WallGit, type WallParts } from '../levels/wall.js'
import { GitPrograms } from '../git/git-programs.js'
import { DEFAULT_LIMITS, type ExecLimits } from '../limits/limits.js'
import type { Launcher } from '../run/launch.js'
import type { ExecView } from '../view/exec-view.js'
import { homeOf, hostView, type ViewRequest } from '../view/host-view.js'
import { RunFolder } from '../view/run-folder.js'

const SETTINGS = { read: [], write: [], home: [], tools: [], keepDays: 0 } as const

/** The levels of this machine, opened for one test file. */
export class TestLevels {
  readonly run: RunFolder
  readonly levels: Levels
  readonly #files: boolean
  readonly #git: WallGit | undefined

  private constructor(run: RunFolder, levels: Levels, files: boolean, git: WallGit | undefined) {
    this.run = run
    this.levels = levels
    this.#files = files
    this.#git = git
  }

  static async open(home = homeOf(process.env.HOME)): Promise<TestLevels> {
    const run = await RunFolder.open(undefined, home)
    const levels = await probeLevels(run)
    const reaper = await findReaper()
    const files = reaper !== undefined && (await tryFiles(run, reaper)) === undefined
    const programs = await GitPrograms.find()
    const git = typeof programs === 'string' || levels.wall?.perl === undefined ? undefined : { programs, passes: [] }
    return new TestLevels(run, levels, files, git)
  }

  /** Why git cannot change repositories at level `wall` here, or undefined. */
  get noGit(): string | undefined {
    return this.#git ? undefined : 'Landlock does not hold git here'
  }

  /** Why a level cannot be had here, or undefined. */
  missing(level: ExecLevel): string | undefined {
    if (level === 'wall') return this.levels.wall ? undefined : this.levels.reasons.join('; ')
    return level === 'files' && !this.#files ? 'Landlock does not work here' : undefined
  }

  view(request: Partial<ViewRequest> & Pick<ViewRequest, 'cwd'>): Promise<ExecView> {
    return hostView({ origin: {}, writable: true, settings: SETTINGS, paths: undefined, run: this.run, ...request })
  }

  launcher(level: ExecLevel, view: ExecView, limits: ExecLimits = DEFAULT_LIMITS): Launcher {
    const { reaper } = this.levels
    if (level === 'wall') return this.wall(view, { limits })
    if (level === 'files' && reaper) return new FilesLauncher(reaper, view, limits, false)
    if (level === 'none') return new NoneLauncher(reaper, view.cwd, limits)
    throw new Error(`level ${level} cannot be had here`)
  }

  /** Starts commands at level `wall`, with other parts than this machine has. */
  wall(view: ExecView, parts: Partial<WallParts> = {}): Launcher {
    const { wall } = this.levels
    if (!wall) throw new Error('level wall cannot be had here')
    return new WallLauncher({
      tools: wall,
      view,
      run: this.run,
      limits: DEFAULT_LIMITS,
      git: this.#git,
      ...parts,
    })
  }

  async close(): Promise<void> {
    await this.run.close(0)
    await rm(this.run.path, { recursive: true, force: true })
  }
}
