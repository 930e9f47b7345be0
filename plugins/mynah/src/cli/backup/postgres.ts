import { realpathSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'

/** Where the rows of a database are, for a host that takes them over: the plugin `database` reads it. */
export const MOVE_PATH = 'data/move.sqlite'

/**
 * Copies the rows of a PostgreSQL database into a new file, by the library of the plugin `database` of the host.
 *
 * @throws UserError if the library is missing or the server does not answer
 */
export async function copyPostgres(root: string, url: string, to: string): Promise<void> {
  try {
    const { dumpPostgres } = (await import(pathToFileURL(moduleIn(root)).href)) as {
      dumpPostgres(url: string, file: string): Promise<number>
    }
    await dumpPostgres(url, to)
    await chmod(to, 0o600)
  } catch (error) {
    throw new UserError(`the PostgreSQL database cannot be copied: ${messageOf(error)}`, {
      exitCode: EXIT.failure,
      remedy: 'Run: mynah doctor',
      cause: error,
    })
  }
}

/** Returns the module of the plugin, as installed next to the host or to this package. */
function moduleIn(root: string): string {
  let missing: unknown
  for (const from of [root, import.meta.dirname]) {
    try {
      const manifest = createRequire(join(from, 'index.js')).resolve('@mynah/plugin-database/package.json')
      return join(dirname(realpathSync(manifest)), 'dist/move/postgres-dump.js')
    } catch (error) {
      missing = error
    }
  }
  throw missing
}
