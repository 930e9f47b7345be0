import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, rename } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { WireError } from '@mynah/contract'
import { assertNoHardLink, type PathGuard } from './path-guard.js'
import { onDisk } from './write.js'

const MAX_ENTRIES = 10_000
// Marks of direction and of no width make a name look like another one.
const DECEPTIVE = /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

const found = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'ENOTDIR') throw new WireError('not_found', 'There is no such folder')
    if (error.code === 'ENAMETOOLONG') return assertNewName(path)
    throw error
  })

/**
 * Rejects names that no new entry may have.
 *
 * @throws WireError `forbidden`
 */
export function assertNewName(path: string): undefined {
  const name = basename(path)
  const why = Buffer.byteLength(name) > 255 ? 'is too long' : 'has marks that are not seen'
  if (Buffer.byteLength(name) > 255 || DECEPTIVE.test(name) || name !== name.trim())
    throw new WireError('forbidden', `This name ${why}`, { details: [{ path: 'filePath', message: why }] })
}

/** Makes folders, and renames and moves entries of the workspace. Callers run one change at a time. */
export class WorkspaceFolders {
  readonly #guard: PathGuard

  constructor(guard: PathGuard) {
    this.#guard = guard
  }

  /** @throws WireError `conflict` if the name is taken */
  async make(folderPath: string): Promise<void> {
    const path = await this.#free(folderPath)
    await onDisk(() => mkdir(path))
  }

  /**
   * Renames a file or a folder, also into another folder.
   *
   * @throws WireError `conflict` if the new name is taken, `forbidden` for links and for folders with hidden entries
   */
  async move(from: string, to: string): Promise<void> {
    const old = await this.#guard.entry(from)
    const entry = await found(old)
    if (!entry) throw new WireError('not_found', `There is no file or folder "${from}"`)
    if (entry.isFile()) assertNoHardLink(entry.nlink)
    else if (entry.isDirectory()) await this.#assertAllVisible(old)
    else throw new WireError('forbidden', 'This is a link or a device, which cannot be moved here')
    const target = await this.#free(to)
    if (`${target}${sep}`.startsWith(`${old}${sep}`))
      throw new WireError('conflict', 'A folder cannot be moved into itself')
    await onDisk(() => rename(old, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EXDEV') throw new WireError('unsupported', 'It cannot be moved to another disk')
      throw error
    })
  }

  /** Returns the path of a new entry. */
  async #free(filePath: string): Promise<string> {
    const path = await this.#guard.entry(filePath)
    assertNewName(path)
    if (await found(path)) throw new WireError('conflict', `"${filePath}" is there already`)
    return path
  }

  // A hidden entry is known by its path: under another one, the data directory would be open to read.
  async #assertAllVisible(folder: string, left = { entries: MAX_ENTRIES }): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (!this.#guard.isVisible(path))
        throw new WireError('forbidden', 'This folder holds files that are not open to the console')
      if (--left.entries < 0)
        throw new WireError('unsupported', `This folder has more than ${MAX_ENTRIES} entries; move it by hand`)
      if (entry.isDirectory()) await this.#assertAllVisible(path, left)
    }
  }
}
