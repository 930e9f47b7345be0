import { AbsentPaths } from './absent-paths.js'
import type { ExecView } from './exec-view.js'
import { WorktreeSettings } from './worktree-settings.js'

/** Undoes what the mounts of a view cannot prevent, when its command has ended. */
export class ViewGuard {
  readonly #absent: AbsentPaths
  readonly #worktrees: WorktreeSettings

  private constructor(absent: AbsentPaths, worktrees: WorktreeSettings) {
    this.#absent = absent
    this.#worktrees = worktrees
  }

  /** Looks at a view before its command starts. */
  static async of(view: ExecView): Promise<ViewGuard> {
    return new ViewGuard(await AbsentPaths.of(view), await WorktreeSettings.of(view))
  }

  /** Returns the paths that were deleted or put back. */
  async restore(): Promise<string[]> {
    return [...(await this.#absent.clear()), ...(await this.#worktrees.restore())]
  }
}
