import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { CLIENT_FOLDER, MODULE_PATH, type EntryFiles } from './entry-list.js'

/** A plain file or folder name, without percent signs, which double encoding leaves behind. */
const SEGMENT = /^[\w@+~$-][\w@+~$.()[\] -]*$/
const MAX_PATH = 1_024
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'])

/** Returns the real path of a file below the folder of an entry, or `undefined` if it may not be served. */
export async function locate(files: EntryFiles, path: string): Promise<string | undefined> {
  if (path.length > MAX_PATH) return undefined
  const [first, ...segments] = path.split('/')
  if (first !== CLIENT_FOLDER || segments.length === 0 || !segments.every((segment) => SEGMENT.test(segment)))
    return undefined
  const wanted = path === MODULE_PATH ? files.module : join(files.folder, ...segments)
  try {
    const [folder, real] = await Promise.all([realpath(files.folder), realpath(wanted)])
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined
    // A link may point to a hidden file.
    return real
      .slice(folder.length)
      .split(sep)
      .some((segment) => segment.startsWith('.'))
      ? undefined
      : real
  } catch (error) {
    if (NOT_FOUND_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
