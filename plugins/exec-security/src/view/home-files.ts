import { readFile, writeFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import type { Shown } from './exec-view.js'
import { harmlessSettings } from './git-settings.js'

/** The files with the settings of git. */
const GIT_SETTINGS: readonly string[] = ['.gitconfig', '.config/git/config']

/**
 * Returns the files of the home folder that a view shows. The settings of git are a copy with those that are known to
 * be harmless.
 *
 * @param names paths below the home folder
 * @param at the home folder, for commands as for the host
 * @param copies the folder for copies
 */
export async function homeFiles(names: readonly string[], at: string, copies: string): Promise<Shown[]> {
  const shown = await Promise.all(
    names.map(async (name): Promise<Shown[]> => {
      const path = join(at, name)
      const settings = GIT_SETTINGS.indexOf(normalize(name))
      if (settings < 0) return [{ source: path, at: path }]
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) return []
      const source = join(copies, `gitconfig-${settings}`)
      await writeFile(source, harmlessSettings(text), { mode: 0o600 })
      return [{ source, at: path }]
    }),
  )
  return shown.flat()
}
