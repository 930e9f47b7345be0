// Only the user that the host runs as may read the database.
import { chmod, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error
}

/** Creates the folder of a database file if it is missing. With `own` the folder belongs to the host and is made private. */
export async function privateFolder(file: string, own: boolean): Promise<void> {
  const folder = dirname(file)
  await makeFolder(folder, FOLDER_MODE)
  if (own) await chmod(folder, FOLDER_MODE)
}

/** Creates a file if it is missing and makes it and the files of SQLite next to it private. Later ones inherit the mode. */
export async function privateFile(file: string): Promise<void> {
  await (await open(file, 'a', FILE_MODE)).close()
  await chmod(file, FILE_MODE)
  for (const suffix of ['-wal', '-shm', '-journal']) await chmod(file + suffix, FILE_MODE).catch(ignoreMissing)
}
