import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { CATALOGUE, catalogue, digestOf, type BackupFile, type Catalogue } from './catalogue.js'
import { giveToOwner } from './owner.js'
import { listBackupFiles } from './backup-files.js'
import { copyPostgres, MOVE_PATH } from './postgres.js'
import { copySqlite, isSqlite } from './sqlite.js'

/**
 * Copies the host with the configuration `file` into the new folder `target`. The folder is complete or does not exist.
 *
 * @param step called between two files; an error from it cancels the backup
 * @throws UserError if the folder is not empty
 */
export async function writeBackup(file: string, target: string, version: string, step: () => void): Promise<Catalogue> {
  const root = dirname(file)
  const there = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there?.length)
    throw new UserError(`${basename(target)} is not empty`, { exitCode: EXIT.failure, remedy: 'Name another folder' })
  const made = await makeFolder(dirname(target))
  // Written next to the target and renamed at the end, so that the target is always complete. Private, as it holds
  // secrets.
  const draft = await mkdtemp(join(dirname(target), '.backup-'))
  try {
    await chmod(draft, 0o700)
    const { files, elsewhere, postgres } = await listBackupFiles(file)
    const copied: BackupFile[] = []
    for (const path of files) {
      // The rows of an earlier move are those of the database now.
      if (path === MOVE_PATH && postgres !== undefined) continue
      step()
      const [from, to] = [join(root, path), join(draft, path)]
      await mkdir(dirname(to), { recursive: true })
      if (await isSqlite(from)) {
        await copySqlite(root, from, to)
        await chmod(to, (await stat(from)).mode & 0o777)
      } else await copyFile(from, to)
      copied.push({ path, size: (await stat(to)).size, sha256: await digestOf(to) })
    }
    if (postgres !== undefined) {
      step()
      const to = join(draft, MOVE_PATH)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await copyPostgres(root, postgres, to)
      copied.push({ path: MOVE_PATH, size: (await stat(to)).size, sha256: await digestOf(to) })
    }
    const content = catalogue({
      made: new Date().toISOString(),
      mynah: version,
      configuration: basename(file),
      files: copied,
      elsewhere,
    })
    await writeFile(join(draft, CATALOGUE), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
    if (there) await rmdir(target)
    await giveToOwner(root, draft)
    await rename(draft, target)
    if (made !== undefined) await giveToOwner(root, made)
    return content
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
