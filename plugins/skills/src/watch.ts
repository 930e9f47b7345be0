// Watches folders whether or not they are there yet; the library is loaded when there is something to watch.
import { basename, join } from 'node:path'
import type { FSWatcher } from 'chokidar'

/** Tells paths that may have been added, changed or removed, until it is closed. Resolves when it watches. */
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
  // A second change soon after a first one is told in no other way.
  watcher.on('raw', (_event, path, about: unknown) => {
    const watched = (about as { readonly watchedPath?: unknown } | null)?.watchedPath
    if (typeof watched === 'string' && typeof path === 'string')
      changed(basename(watched) === path ? watched : join(watched, path))
  })
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return () => watcher.close()
}
