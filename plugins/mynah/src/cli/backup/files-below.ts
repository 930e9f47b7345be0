import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that can be created again or are backups themselves. */
const EXCLUDED_FOLDERS = /^(?:node_modules|\.git|backups|before-restore-.{1,40})$/

/** Returns the paths of all files in a folder that a backup contains. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const inner = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return EXCLUDED_FOLDERS.test(entry.name) ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    }),
  )
  return inner.flat()
}
