// Notices that the token in the data directory was replaced, so that a new one counts without a restart.
import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { TOKEN_FILE } from './token-file.js'

/** Who replaces a file often removes it first: it is looked at when it has come to rest. */
const SETTLED_MS = 200

/** Calls `changed` after the file at `path` was written, replaced or removed, until the returned function is called. */
export function watchToken(
  path: string,
  changed: () => void,
  { clock, log }: { readonly clock: Pick<Clock, 'setTimeout'>; readonly log: Logger },
): () => void {
  let cancel = (): void => {}
  try {
    // The folder, not the file: a replaced file is another one. Some systems do not tell the name.
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name !== null && name !== TOKEN_FILE) return
      cancel()
      cancel = clock.setTimeout(changed, SETTLED_MS)
    })
    watcher.on('error', (error) =>
      log.warn(`the token file is no longer watched: ${messageOf(error)}; "mynah reload" reads it`),
    )
    return () => {
      cancel()
      watcher.close()
    }
  } catch (error) {
    log.warn(
      `the token file cannot be watched (${(error as NodeJS.ErrnoException).code ?? messageOf(error)}); "mynah reload" reads it`,
    )
    return cancel
  }
}
