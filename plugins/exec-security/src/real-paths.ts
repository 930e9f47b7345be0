import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Whether a path is a folder or lies below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Returns a path without links. A missing path is returned unchanged. */
export const realPath = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Paths with what they lead to, and with themselves in the folder that they really lie in. */
export async function withRealPaths(paths: readonly string[]): Promise<readonly string[]> {
  return distinct(
    (
      await Promise.all(
        paths.map(async (path) => [path, join(await realPath(dirname(path)), basename(path)), await realPath(path)]),
      )
    ).flat(),
  )
}

/** The same at once, for a decision. */
export function withRealPathsNow(paths: readonly string[]): readonly string[] {
  return distinct(paths.flatMap((path) => [path, join(realPathNow(dirname(path)), basename(path)), realPathNow(path)]))
}

/** A path without links, at once. */
export function realPathNow(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // A missing path leads nowhere.
    return path
  }
}

const distinct = (paths: readonly string[]): readonly string[] => [...new Set(paths)]
