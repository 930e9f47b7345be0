import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that can be created again or are backups themselves. */
const EXCLUDED_FOLDERS = /^(?:node_modules|\.git|backups|before-restore-.{1,40})$/

/**
 * Returns the paths of all files in a folder that a backup contains.
 *
 * @param leave called with each path whose name is not UTF-8, which the list of a backup cannot name
 */
export async function filesBelow(folder: string, leave?: (path: string) => void): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  const inner = await Promise.all(
    entries.map((entry) => {
      const name = entry.name.toString()
      const path = join(folder, name)
      if (!entry.isDirectory() && !entry.isFile()) return []
      if (!isUtf8(entry.name)) {
        leave?.(path)
        return []
      }
      if (entry.isDirectory()) return EXCLUDED_FOLDERS.test(name) ? [] : filesBelow(path, leave)
      return [path]
    }),
  )
  return inner.flat()
}

/** Returns the sentence about a path that was left out. */
export const hasOddName = (path: string): string => `${path} has a name that is not UTF-8: rename it`
