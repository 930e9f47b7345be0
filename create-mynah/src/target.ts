import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { reasonOf } from './reasons.js'
import { UsageError } from './usage-error.js'

/**
 * Returns the names in the folder of a new project, or undefined where there is no folder yet. A new repository may be
 * there.
 *
 * @throws UsageError when the folder has other files or cannot be read
 */
export async function assertEmpty(folder: string): Promise<readonly string[] | undefined> {
  const there = await readdir(resolve(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${folder} cannot be used: ${reasonOf(error) ?? error.message}`)
  })
  if (there?.some((name) => name !== '.git')) throw new UsageError(`${folder} is not empty; name another folder`)
  return there
}
