// From the path of a request to a file below an entry's folder, or to nothing.
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { CLIENT_FOLDER, MODULE_PATH, type EntryFiles } from './listing.js'

/** A segment that names a plain file or folder; percent signs are what double encoding leaves behind. */
const SEGMENT = /^[\w@+~$-][\w@+~$.()[\] -]*$/
const MAX_PATH = 1_024
const NOTHING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'])

/** The real path of what `path` names below the entry's folder; `undefined` where nothing may be served. */
export async function locate(files: EntryFiles, path: string): Promise<string | undefined> {
  if (path.length > MAX_PATH) return undefined
  const [first, ...segments] = path.split('/')
  if (first !== CLIENT_FOLDER || segments.length === 0 || !segments.every((segment) => SEGMENT.test(segment)))
    return undefined
  const wanted = path === MODULE_PATH ? files.module : join(files.folder, ...segments)
  try {
    const [folder, real] = await Promise.all([realpath(files.folder), realpath(wanted)])
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined
    // A link may lead to a hidden file beside it.
    return real
      .slice(folder.length)
      .split(sep)
      .some((segment) => segment.startsWith('.'))
      ? undefined
      : real
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
