import { chmod, copyFile, mkdir, rename } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import type { Catalogue } from './catalogue.js'
import { giveToOwner } from './owner.js'
import { MOVE_PATH } from './postgres.js'
import { isSqlite } from './sqlite.js'

/**
 * Puts the database of a verified backup where the next start takes its rows over, of SQLite as of PostgreSQL.
 *
 * @throws UserError if the backup has no database, or rows wait already
 */
export async function restoreRows(root: string, folder: string, { files }: Catalogue): Promise<void> {
  const target = join(root, MOVE_PATH)
  if (existsSync(target))
    throw new UserError(`${MOVE_PATH} is there already`, {
      exitCode: EXIT.failure,
      remedy: 'Start the host, which takes it over, or move the file away',
    })
  const from = await databaseIn(folder, files)
  if (from === undefined)
    throw new UserError('the backup has no database', { exitCode: EXIT.failure, remedy: 'Name another backup' })
  const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await copyFile(join(folder, from), `${target}.tmp`)
  await chmod(`${target}.tmp`, 0o600)
  await rename(`${target}.tmp`, target)
  await giveToOwner(root, made ?? target)
}

/** Returns the path of the database in a backup: the rows of PostgreSQL, else the file of SQLite. */
async function databaseIn(folder: string, files: Catalogue['files']): Promise<string | undefined> {
  const paths = files.map(({ path }) => path)
  if (paths.includes(MOVE_PATH)) return MOVE_PATH
  if (paths.includes('data/mynah.sqlite')) return 'data/mynah.sqlite'
  for (const path of paths) if (path.endsWith('.sqlite') && (await isSqlite(join(folder, path)))) return path
  return undefined
}
