import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { constants, existsSync, realpathSync } from 'node:fs'
import { WireError } from '@mynah/contract'

const FOLDERS = new Set(['node_modules', '.git'])
// The last pattern is a temporary file, which stays if the machine fails during a write.
const SECRET = /\.(?:pem|key|env|orig|bak)$|~$|^id_|^\.env|^\.npmrc$|^\.[0-9a-f-]{36}\.tmp$/i

/** Rejects hard links, because a hidden file may have a second, visible name. */
export function assertNoHardLink(links: number): void {
  if (links > 1)
    throw new WireError('forbidden', 'This file has several names (a hard link)', {
      details: [{ path: 'filePath', message: 'has several names' }],
    })
}

/** The path behind links, if there is one. */
const realPathOf = (path: string): string[] => (existsSync(path) ? [realpathSync(path)] : [])

function refuse(why: string): never {
  throw new WireError('forbidden', `This file ${why}`, { details: [{ path: 'filePath', message: why }] })
}

/** Returns what reports that an entry, or the folder for it, cannot be found. */
const missing =
  (filePath: string, what: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new WireError('not_found', `There is no ${what} "${filePath}"`)
    if (error.code === 'ENAMETOOLONG' || error.code === 'ELOOP' || error.code === 'EACCES')
      return refuse('cannot be reached')
    throw error
  }

/** Decides which files are visible: those inside the root by their real path that hold no secrets. */
export class PathGuard {
  readonly root: string
  readonly #hidden: ReadonlySet<string>

  /** @param hidden absolute paths of the data directory and the configuration file, which have their own methods */
  constructor(root: string, hidden: readonly string[]) {
    this.root = root
    // In lower case, because some file systems ignore case.
    this.#hidden = new Set(
      [...hidden.map((path) => resolve(path)), ...hidden.flatMap(realPathOf)]
        .flatMap((path) => [path, `${path}.bak`])
        .map((path) => path.toLowerCase()),
    )
  }

  /** Returns whether an entry below the root is visible. */
  isVisible(path: string): boolean {
    const inside = relative(this.root, path)
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return false
    const parts = inside.split(sep)
    if (parts.some((part) => FOLDERS.has(part.toLowerCase()) || SECRET.test(part))) return false
    for (let at = path; at.length > this.root.length; at = dirname(at))
      if (this.#hidden.has(at.toLowerCase())) return false
    return true
  }

  /** Returns the real path of an existing file, or of a new file in an existing folder. */
  async resolve(filePath: string, mode: 'read' | 'write'): Promise<string> {
    const named = this.#named(filePath)
    const exists =
      mode === 'read' ||
      (await lstat(named).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && missing(filePath, 'folder for the file')(error),
      ))
    if (!exists) return this.entry(filePath)
    return this.#inside(
      await realpath(named).catch(missing(filePath, mode === 'write' ? 'folder for the file' : 'file')),
    )
  }

  /** Returns the path of an entry in its real folder. The entry may be missing, and is not followed if it is a link. */
  async entry(filePath: string): Promise<string> {
    const named = this.#named(filePath)
    const folder = await realpath(dirname(named)).catch(missing(filePath, 'folder for the file'))
    return this.#inside(join(folder, basename(named)))
  }

  #named(filePath: string): string {
    // eslint-disable-next-line no-control-regex -- control characters are what is refused
    if (/[\u0000-\u001f\u007f]/.test(filePath) || filePath.includes('\\')) refuse('has a name that is not allowed')
    if (isAbsolute(filePath) || /^[A-Za-z]:/.test(filePath) || filePath.split('/').includes('..'))
      refuse('lies outside of the workspace')
    const named = resolve(this.root, filePath)
    if (!this.isVisible(named)) refuse('is not open to the console')
    return named
  }

  #inside(real: string): string {
    if (!this.isVisible(real)) refuse('leads out of the workspace')
    return real
  }

  /** Opens a resolved path without blocking on pipes, and checks that it is still a regular file inside the root. */
  async open(real: string): Promise<FileHandle> {
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new WireError('not_found', 'The file was removed')
        if (error.code === 'ENXIO') throw new WireError('unsupported', 'This is not a file')
        if (error.code === 'ELOOP' || error.code === 'EACCES')
          throw new WireError('forbidden', 'The file cannot be read')
        throw error
      },
    )
    try {
      const [opened, named] = await Promise.all([handle.stat(), stat(real)])
      if (!opened.isFile()) throw new WireError('unsupported', 'This is not a file')
      assertNoHardLink(opened.nlink)
      if (opened.ino !== named.ino || opened.dev !== named.dev)
        throw new WireError('conflict', 'The file changed while it was opened')
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }
}
