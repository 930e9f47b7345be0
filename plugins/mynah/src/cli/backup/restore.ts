// Puts a backup in place: everything is copied and checked first, then exchanged by renaming.
import { copyFile, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { digestOf, type Catalogue } from './catalogue.js'
import { giveToOwner } from './owner.js'

/** What a restore did. */
export interface Restored {
  /** The folder that holds what was there, relative to the host's, where something was. */
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
 * Puts the files of a checked backup below `root`.
 *
 * @param replaces Whether what is there may be put aside.
 * @param step Called between two files while nothing is in place yet; what it throws ends the work.
 * @throws UserError where something is there and may not.
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
    throw new UserError(`there is a host here already (${existing.slice(0, 5).join(', ')})`, {
      exitCode: EXIT.failure,
      remedy:
        'Restore into an empty folder with -c folder/mynah.config.yml, or add --yes: what is here is then put aside',
    })
  }
  const draft = await mkdtemp(join(root, '.restore-'))
  try {
    for (const { path, sha256 } of files) {
      step()
      const to = join(draft, path)
      await mkdir(dirname(to), { recursive: true })
      await copyFile(join(folder, path), to)
      if ((await digestOf(to)) !== sha256)
        throw new UserError(`${path} could not be copied as it is`, {
          exitCode: EXIT.failure,
          remedy: 'Look at the disk, then try again',
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
    // Below the data, which is shown to nobody: it holds secrets. Backups stay where they are looked for.
    if (await mkdir(join(root, 'data'), { recursive: true })) await giveToOwner(root, join(root, 'data'))
    if (await isThere(join(root, aside, 'data', 'backups')))
      await rename(join(root, aside, 'data', 'backups'), join(root, 'data', 'backups'))
    await rename(join(root, aside), join(root, 'data', aside))
    return { aside: `data/${aside}` }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
