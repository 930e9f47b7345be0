import { access, constants, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { isWithin, realPath } from '../real-paths.js'

/** Folders that every view has, or that are made for it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/proc', '/sys', '/dev', '/run', '/tmp', '/var']
/** Folders next to `bin` that programs load from. */
const PARTS = ['bin', 'sbin', 'lib', 'lib64', 'libexec', 'include']

/** Finds a program in the folders of a `PATH`. Returns its full path. */
export async function findProgram(name: string, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of path.split(':').filter((entry) => entry.startsWith('/'))) {
    const file = join(folder, name)
    try {
      await access(file, constants.X_OK)
      if ((await stat(file)).isFile()) return file
    } catch {
      // Not there, or not for this user.
    }
  }
  return undefined
}

/**
 * Returns the folders of programs outside `/usr` that a view shows: those of `PATH`, with the folder around a `bin`.
 *
 * @param path the `PATH` of the host, with the folder of its own program
 * @param closed folders that are never shown: the home folder, what decides over the host, the files of commands
 */
export async function toolFolders(path: string, closed: { readonly home: string; readonly others: readonly string[] }) {
  const entries = [...path.split(':').filter((entry) => entry.startsWith('/')), dirname(process.execPath)]
  const found: string[] = []
  for (const entry of new Set(await Promise.all(entries.map(realPath)))) {
    if (SYSTEM.some((system) => isWithin(entry, system))) continue
    if (closed.others.some((other) => isWithin(entry, other))) continue
    const isBin = /^s?bin$/.test(basename(entry))
    if (isBin) found.push(...aroundBin(dirname(entry), closed.home))
    else if (!isWithin(closed.home, entry)) found.push(entry)
  }
  // A folder that holds something closed is not shown. Its other parts can be listed in `execView.tools`.
  const held = [closed.home, ...closed.others]
  return [...new Set(found)].filter((folder) => folder !== '/' && !held.some((path) => isWithin(path, folder)))
}

/** The folder around `bin`. In a folder directly below the home, such as `.local` or `.cargo`, also lie credentials. */
function aroundBin(prefix: string, home: string): string[] {
  const below = isWithin(prefix, home) ? prefix.slice(home.length + 1).split(sep) : undefined
  if (prefix === home) return [join(prefix, 'bin')]
  if (below?.length === 1) return PARTS.map((part) => join(prefix, part))
  return [prefix]
}
