import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOME_FILES, type ExecView } from '../view/exec-view.js'
import { harmlessSettings } from '../view/git-settings.js'
import { readPlain } from './repository-programs.js'

/** Where git finds the settings of the person while it may change a repository. */
export const SETTINGS = '/run/gitconfig'

/** Longer ones are not those of a person, and take long to look through. */
const MAX_LENGTH = 32_768

/**
 * Writes what is harmless of the settings in the home folder of a command, which another command may have made. Returns
 * the file.
 *
 * @param copies the folder for it
 */
export async function heldSettings({ files, home }: ExecView, copies: string): Promise<string> {
  const name = '.gitconfig'
  const shown = files.find(({ at }) => at === join(HOME_FILES, name))
  const text = (await readPlain(shown?.source ?? join(home, name))) ?? ''
  const settings = text.length > MAX_LENGTH ? '' : harmlessSettings(text)
  const own = createHash('sha256').update(home).digest('hex').slice(0, 16)
  const path = join(copies, `git-${own}`)
  // An empty value takes back those of the machine.
  await writeFile(path, `${settings}\n[safe]\n\tdirectory =\n`, { mode: 0o600 })
  return path
}
