import { constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, readdir, readlink, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** npm writes this file in place, and would change the linked original. */
const WRITTEN_IN_PLACE = '.package-lock.json'

/** Copies a folder by hard links; by copies where the disk has none. */
export async function linkTree(from: string, to: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await linkTree(source, target, signal)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.name === WRITTEN_IN_PLACE) await copyFile(source, target)
    else await linkFile(source, target)
  }
  const { atime, mtime, mode } = await stat(from)
  await chmod(to, mode)
  // npm compares the times of folders to see whether its own list is up to date.
  await utimes(to, atime, mtime)
}

async function linkFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'EXDEV', 'ENOTSUP', 'EMLINK', 'ENOSYS'].includes(code)) throw error
    await copyFile(source, target, constants.COPYFILE_FICLONE)
  }
}
