import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecView } from './exec-view.js'
import { isWithin } from '../real-paths.js'

/** Files of a repository that a mount cannot stand for while they are missing: git reads other settings by them. */
const OF_GIT = ['.git/commondir', '.git/config.worktree']

/**
 * The paths that no command may make, and that were missing when one started: nothing can be mounted on them. A file
 * that has appeared there is deleted when the command has ended.
 */
export class AbsentPaths {
  readonly #paths: readonly string[]

  private constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  static async of({ roots, hidden, readOnly }: ExecView): Promise<AbsentPaths> {
    const writable = roots.filter((root) => root.writable).map(({ path }) => path)
    const paths = [
      ...[...hidden, ...readOnly].filter((path) => writable.some((root) => path !== root && isWithin(path, root))),
      ...writable.flatMap((root) => OF_GIT.map((name) => join(root, name))),
    ]
    const found = await Promise.all(paths.map(exists))
    return new AbsentPaths(paths.filter((_, i) => !found[i]))
  }

  /** Deletes what has appeared, and returns it. */
  async clear(): Promise<string[]> {
    const found = await Promise.all(this.#paths.map(exists))
    const made = this.#paths.filter((_, i) => found[i])
    await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })))
    return made
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
