// Folders that are never for commands, wherever they lie: a system folder that holds one shows an empty one instead.
import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostPaths } from '@mynah/kernel'
import { withRealPaths } from '../real-paths.js'

/** Accounts of people have numbers from here on. */
const FIRST_PERSON = 1_000
const NOBODY = 65_534
/** Folders of the system that accounts have as their home. */
const NO_HOME = ['/', '/usr', '/bin', '/sbin', '/lib', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/local', '/usr/share']
const MODULES = `${sep}node_modules${sep}`

const FOUND = new Map<string, Promise<readonly string[]>>()

/** Returns the folder of the host, its data, its installation and every home. They are looked for once. */
export function coveredFolders(paths: HostPaths | undefined, home: string): Promise<readonly string[]> {
  const own = [...(paths ? [paths.root, paths.data] : []), home]
  const key = own.join('\0')
  let found = FOUND.get(key)
  if (!found) {
    FOUND.set(key, (found = find(own)))
    found.catch(() => FOUND.delete(key))
  }
  return found
}

async function find(own: readonly string[]): Promise<readonly string[]> {
  const all = await withRealPaths([...own, ...(await homes()), installation()])
  return all.filter((path) => !NO_HOME.includes(path))
}

/** Returns the homes of root and of people. */
async function homes(): Promise<string[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(unlessMissing)).split('\n')
  const found = lines.flatMap((line) => {
    const [, , uid = '', , , home = ''] = line.split(':')
    const number = Number(uid)
    return home.startsWith('/') && (number === 0 || (number >= FIRST_PERSON && number !== NOBODY)) ? [home] : []
  })
  return ['/root', '/home', ...found]
}

function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

/** Returns the folder of the packages that the host runs, or the repository. */
function installation(): string {
  const own = fileURLToPath(import.meta.url)
  const at = own.indexOf(MODULES)
  if (at === -1) return join(dirname(own), '..', '..', '..', '..')
  const [scope = '', name = ''] = own.slice(at + MODULES.length).split(sep)
  // Others of a folder for the whole machine, such as npm, are programs of commands.
  return join(own.slice(0, at), 'node_modules', scope.startsWith('@') && scope !== '@mynah' ? join(scope, name) : scope)
}
