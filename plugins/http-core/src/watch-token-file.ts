import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { TOKEN_FILE } from './token-file.js'

/** Replacing a file often removes it first, so changes are debounced. */
const DEBOUNCE_MS = 200

/** Calls `changed` after the file at `path` was written, replaced or removed. Returns a function that stops watching. */
export function watchTokenFile(
  path: string,
  changed: () => void,
  { clock, log }: { readonly clock: Pick<Clock, 'setTimeout'>; readonly log: Logger },
): () => void {
  let cancel = (): void => {}
  try {
    // Watches the folder, because a replaced file is a different file. Some systems do not report the name.
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name !== null && name !== TOKEN_FILE) return
      cancel()
      cancel = clock.setTimeout(changed, DEBOUNCE_MS)
    })
    watcher.on('error', (error) =>
      log.warn(`failed to watch the token file: ${messageOf(error)}; "mynah reload" reads it`),
    )
    return () => {
      cancel()
      watcher.close()
    }
  } catch (error) {
    log.warn(
      `failed to watch the token file: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}; ` +
        '"mynah reload" reads it',
    )
    return cancel
  }
}
