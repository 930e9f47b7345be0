import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FSWatcher } from 'chokidar'

/** The milliseconds after which a new folder is looked through again. */
const SECOND_LOOKS_MS = [1_000, 10_000]

/**
 * Watches folders, which need not exist yet.
 *
 * @param changed called with paths that may have been added, changed or removed
 * @returns a function that stops watching
 */
export async function watchFolders(
  folders: readonly string[],
  changed: (path: string) => void,
  failed: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  const watcher: FSWatcher = watch([...folders], {
    ignoreInitial: true,
    depth: 3,
    ignored: /(?:^|[/\\])(?:\.[^/\\]{1,255}\.tmp|node_modules|\.git)(?:[/\\]|$)/,
  })
  watcher.on('add', changed).on('change', changed).on('unlink', changed).on('error', failed)
  // The other events miss a second change shortly after a first one.
  watcher.on('raw', (_event, path, details: unknown) => {
    const watched = (details as { readonly watchedPath?: unknown } | null)?.watchedPath
    if (typeof watched === 'string' && typeof path === 'string')
      changed(basename(watched) === path ? watched : join(watched, path))
  })
  // A folder is read before it is watched, so that a file which is written in between has no event.
  const looks = new Set<NodeJS.Timeout>()
  watcher.on('addDir', (folder) => {
    for (const ms of SECOND_LOOKS_MS) {
      const look = setTimeout(() => {
        looks.delete(look)
        readdir(folder, { recursive: true }).then(
          (paths) => paths.forEach((path) => changed(join(folder, path))),
          // It is gone again, which has an event of its own.
          () => undefined,
        )
      }, ms)
      looks.add(look)
    }
  })
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return () => {
    for (const look of looks) clearTimeout(look)
    return watcher.close()
  }
}
