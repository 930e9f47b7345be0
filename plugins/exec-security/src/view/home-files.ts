import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shown } from './exec-view.js'
import { anyOf } from '../policy/any-of.js'

const GIT_SETTINGS = '.gitconfig'
/** Sections that hold credentials, or name files that may. */
const LEFT_OUT = anyOf(/^\s*\[\s*(?:credential|include|includeif|http|sendemail|imap)\b/i, /^\s*\[.*@/)
const SECTION = /^\s*\[/
/** An address with a password. */
const PASSWORD = /:\/\/[^/\s]*@/

/**
 * Returns the files of the home folder that a view shows. The settings of git are a copy without credentials and
 * without what they include.
 *
 * @param names paths below the home folder
 * @param at the home folder, for commands as for the host
 * @param copies the folder for copies
 */
export async function homeFiles(names: readonly string[], at: string, copies: string): Promise<Shown[]> {
  const shown = await Promise.all(
    names.map(async (name): Promise<Shown[]> => {
      const path = join(at, name)
      if (name !== GIT_SETTINGS) return [{ source: path, at: path }]
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) return []
      const source = join(copies, 'gitconfig')
      await writeFile(source, publicSettings(text), { mode: 0o600 })
      return [{ source, at: path }]
    }),
  )
  return shown.flat()
}

/** Returns the settings of git that name nothing secret. */
function publicSettings(text: string): string {
  let isLeftOut = false
  const kept = text.split('\n').filter((line) => {
    if (SECTION.test(line)) isLeftOut = LEFT_OUT.test(line)
    return !isLeftOut && !PASSWORD.test(line)
  })
  return kept.join('\n')
}
