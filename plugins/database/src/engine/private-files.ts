// Who may read the database: nobody but the user that the host runs as.
import { chmod, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'

const FOLDER = 0o700
const FILE = 0o600

const ifThere = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error
}

/** Makes the folder of a database file where it is missing; `own` says that it is the host's, so that it is closed to others in any case. */
export async function privateFolder(file: string, own: boolean): Promise<void> {
  const folder = dirname(file)
  await makeFolder(folder, FOLDER)
  if (own) await chmod(folder, FOLDER)
}

/** Makes a file where it is missing, and closes it to others with what SQLite puts beside it; what it puts there later takes after it. */
export async function privateFile(file: string): Promise<void> {
  await (await open(file, 'a', FILE)).close()
  await chmod(file, FILE)
  for (const suffix of ['-wal', '-shm', '-journal']) await chmod(file + suffix, FILE).catch(ifThere)
}
