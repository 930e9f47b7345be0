import { copyFile, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { digestOf, type Catalogue } from './catalogue.js'
import { giveToOwner } from './owner.js'

/** The result of a restore. */
export interface Restored {
  /** Folder of the previous files, relative to the folder of the host, if there were any. */
  readonly aside?: string
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/**
 * Restores the files of a verified backup to `root`. Copies and checks all files first, then renames them into place.
 *
 * @param replaces whether existing files may be moved aside
 * @param step called between two files before anything is renamed; an error from it cancels the restore
 * @throws UserError if there are existing files and `replaces` is false
 */
export async function restoreInto(
  root: string,
  folder: string,
  { files }: Catalogue,
  replaces: boolean,
  step: () => void,
): Promise<Restored> {
  await makeFolder(root)
  const top = Array.from(new Set(files.map(({ path }) => path.split('/')[0] as string)))
  const existing: string[] = []
  for (const name of top) if (await isThere(join(root, name))) existing.push(name)
  if (existing.length && !replaces) {
    throw new UserError(`there is already a host here (${existing.slice(0, 5).join(', ')})`, {
      exitCode: EXIT.failure,
      remedy:
        'Restore into an empty folder with -c folder/mynah.config.yml, or add --yes to move the existing files aside',
    })
  }
  const draft = await mkdtemp(join(root, '.restore-'))
  try {
    for (const { path, sha256 } of files) {
      step()
      const to = join(draft, path)
      // The folder of the data is private, as the host creates it.
      await mkdir(dirname(to), { recursive: true, ...(path.startsWith('data/') ? { mode: 0o700 } : {}) })
      await copyFile(join(folder, path), to)
      if ((await digestOf(to)) !== sha256)
        throw new UserError(`failed to copy ${path} without errors`, {
          exitCode: EXIT.failure,
          remedy: 'Check the disk, then try again',
        })
    }
    await giveToOwner(root, draft)
    const aside = `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`
    if (existing.length) {
      await mkdir(join(root, aside), { mode: 0o700 })
      await giveToOwner(root, join(root, aside))
    }
    for (const name of top) {
      if (existing.includes(name)) await rename(join(root, name), join(root, aside, name))
      await rename(join(draft, name), join(root, name))
    }
    if (!existing.length) return {}
    // The previous files contain secrets, so they go below the private data folder. Backups stay in their folder.
    if (await mkdir(join(root, 'data'), { recursive: true, mode: 0o700 })) await giveToOwner(root, join(root, 'data'))
    if (await isThere(join(root, aside, 'data', 'backups')))
      await rename(join(root, aside, 'data', 'backups'), join(root, 'data', 'backups'))
    await rename(join(root, aside), join(root, 'data', aside))
    return { aside: `data/${aside}` }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
