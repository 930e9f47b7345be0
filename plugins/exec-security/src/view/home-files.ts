import { lstat, mkdir, open, readFile, readlink, rmdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { constants } from 'node:fs'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { HOME_FILES, type Shown } from './exec-view.js'
import { harmlessSettings } from './git-settings.js'
import { O_PATH, placeOf } from './open-roots.js'

/** The files with the settings of git. */
const GIT_SETTINGS: readonly string[] = ['.gitconfig', '.config/git/config']

/**
 * Returns the files of a home folder that a view shows. The settings of git are a copy with those that are known to be
 * harmless.
 *
 * @param names paths below the home folder
 * @param copies the folder for copies
 */
export async function homeFiles(names: readonly string[], home: string, copies: string): Promise<Shown[]> {
  const shown = await Promise.all(
    names.map(async (name): Promise<Shown[]> => {
      const [path, at] = [join(home, name), join(HOME_FILES, name)]
      const settings = GIT_SETTINGS.indexOf(normalize(name))
      if (settings < 0) return [{ source: path, at }]
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) return []
      const source = join(copies, `gitconfig-${settings}`)
      await writeFile(source, harmlessSettings(text), { mode: 0o600 })
      return [{ source, at }]
    }),
  )
  return shown.flat()
}

/**
 * Makes links in the home folder of commands, so that they find there what lies in that of the host's user. A file or
 * folder that a command has made at such a place stays.
 *
 * @param links the targets of the links by their paths below the home folder
 */
export async function linkInHome(home: string, links: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, target] of links) {
    // That this follows other links does no harm: nothing is changed, and the outcome is not shown.
    if ((await readlink(join(home, path)).catch(() => undefined)) === target) continue
    const made = inFolder(home, dirname(path), (folder) => link(join(folder, basename(path)), target))
    // A command may prevent it by the rights of its folders. The file itself is at its own path.
    await made.catch(() => undefined)
  }
}

/** Calls a function with a folder below another one, which is made if need be. It is reached without links. */
async function inFolder(base: string, path: string, use: (folder: string) => Promise<void>): Promise<void> {
  let folder = await open(base, FOLDER)
  try {
    for (const name of path.split(sep).filter((part) => part !== '.')) {
      const inner = join(placeOf(folder.fd), name)
      await mkdir(inner, { mode: 0o700 }).catch(unlessThere)
      const next = await open(inner, FOLDER)
      await folder.close()
      folder = next
    }
    await use(placeOf(folder.fd))
  } finally {
    await folder.close()
  }
}

const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Makes a link, also in place of an empty file or folder, as the places of mounts of older versions are. */
async function link(path: string, target: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory() === true) await rmdir(path).catch(() => undefined)
  else if (found?.isFile() === true && found.size === 0) await unlink(path).catch(() => undefined)
  await symlink(target, path).catch(unlessThere)
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
