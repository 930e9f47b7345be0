import { lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Paths of a repository by which git could be given code that it runs later. */
export interface GitPins {
  /** The folder `.git`, or the file of that name that leads to it. */
  readonly folder: string
  /** Files and folders with settings and hooks. */
  readonly readOnly: readonly string[]
}

const SETTINGS = ['config', 'config.worktree', 'hooks']
/** Modules lie at their paths in the repository. */
const MAX_DEPTH = 4

/** Returns what of a root has to be pinned, or undefined where it is no repository. */
export async function gitPins(root: string): Promise<GitPins | undefined> {
  const folder = join(root, '.git')
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined || found.isSymbolicLink()) return undefined
  if (!found.isDirectory()) return { folder, readOnly: [folder] }
  if (!(await exists(join(folder, 'HEAD')))) return { folder, readOnly: [] }
  // Hooks could be made where there are none yet. An empty folder has no effect.
  await mkdir(join(folder, 'hooks')).catch(() => undefined)
  return { folder, readOnly: [...(await settingsOf(folder)), ...(await modulesOf(join(folder, 'modules'), MAX_DEPTH))] }
}

async function modulesOf(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const module = join(folder, name)
        if (await exists(join(module, 'HEAD')))
          return [...(await settingsOf(module)), ...(await modulesOf(join(module, 'modules'), depth - 1))]
        return depth > 0 ? modulesOf(module, depth - 1) : []
      }),
  )
  return found.flat()
}

async function settingsOf(folder: string): Promise<string[]> {
  const paths = SETTINGS.map((name) => join(folder, name))
  const found = await Promise.all(paths.map(exists))
  return paths.filter((_, i) => found[i])
}

/** Whether there is a file or folder, and no link. */
const exists = async (path: string): Promise<boolean> =>
  lstat(path).then(
    (entry) => !entry.isSymbolicLink(),
    () => false,
  )
