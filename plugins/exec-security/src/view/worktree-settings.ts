import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecView } from './exec-view.js'

/** The file by which a worktree finds its repository, and what git writes into it. */
const LINK = { name: 'commondir', text: '../..\n' } as const
/** The settings of a worktree alone. */
const SETTINGS = 'config.worktree'

/**
 * The settings of the worktrees of a repository. Git removes them with the worktree, so they cannot be pinned. What a
 * command has changed in them is put back when it has ended, since a worktree may lie outside of what it sees.
 */
export class WorktreeSettings {
  readonly #folders: readonly string[]
  readonly #before: ReadonlyMap<string, string>

  private constructor(folders: readonly string[], before: ReadonlyMap<string, string>) {
    this.#folders = folders
    this.#before = before
  }

  static async of({ roots }: ExecView): Promise<WorktreeSettings> {
    const folders = roots.filter(({ writable }) => writable).map(({ path }) => join(path, '.git', 'worktrees'))
    const before = new Map<string, string>()
    for (const folder of folders)
      for (const name of await foldersIn(folder))
        for (const file of [LINK.name, SETTINGS]) {
          const path = join(folder, name, file)
          if ((await kindOf(path)) === 'file') before.set(path, await readFile(path, 'utf8'))
        }
    return new WorktreeSettings(folders, before)
  }

  /** Puts everything back. Returns the files that were changed. */
  async restore(): Promise<string[]> {
    const changed: string[] = []
    for (const folder of this.#folders)
      for (const name of await foldersIn(folder, changed)) {
        const link = join(folder, name, LINK.name)
        if (await putBack(link, this.#before.get(link) ?? LINK.text)) changed.push(link)
        const settings = join(folder, name, SETTINGS)
        if (await putBack(settings, this.#before.get(settings))) changed.push(settings)
      }
    return changed
  }
}

/** Returns the names of the folders in a folder. A link could lead anywhere, so it is deleted where it is reported. */
async function foldersIn(folder: string, deleted?: string[]): Promise<string[]> {
  const kind = await kindOf(folder)
  if (kind !== 'folder') {
    if (kind === 'other') await remove(folder, deleted)
    return []
  }
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isSymbolicLink()) await remove(join(folder, entry.name), deleted)
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function remove(path: string, deleted: string[] | undefined): Promise<void> {
  if (deleted === undefined) return
  await rm(path, { recursive: true, force: true })
  deleted.push(path)
}

/** Gives a file its text, or deletes it without one. Returns whether it was another one. */
async function putBack(path: string, text: string | undefined): Promise<boolean> {
  const kind = await kindOf(path)
  if (kind === 'absent' || (kind === 'file' && (await readFile(path, 'utf8')) === text)) return false
  await rm(path, { recursive: true, force: true })
  if (text !== undefined) await writeFile(path, text, { flag: 'wx' })
  return true
}

const kindOf = (path: string): Promise<'file' | 'folder' | 'other' | 'absent'> =>
  lstat(path).then(
    (entry) => {
      if (entry.isFile()) return 'file'
      return entry.isDirectory() ? 'folder' : 'other'
    },
    () => 'absent',
  )
