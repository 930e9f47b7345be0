// A folder that strangers fill stays within its size: the oldest files go first.
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderLimits {
  readonly bytes: number
  readonly files: number
}

/** Share of the room that may be taken before the folder is looked at again, so that not every file costs a look at all. */
const STEP = 16

/** What somebody else has removed meanwhile is gone as wished. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

export class BoundedFolder {
  readonly #folder: string
  readonly #most: FolderLimits
  /** Since the last look. */
  #bytes = Infinity
  #files = Infinity

  constructor(folder: string, most: FolderLimits) {
    this.#folder = folder
    this.#most = most
  }

  /** Before a file of that many bytes is written: where there is no room for it, the oldest ones are removed. */
  async reserve(bytes: number): Promise<void> {
    this.#bytes += bytes
    this.#files++
    if (this.#bytes < this.#most.bytes / STEP && this.#files < this.#most.files / STEP) return
    this.#bytes = 0
    this.#files = 0
    await this.#look(bytes)
  }

  async #look(more: number): Promise<void> {
    const files: { path: string; size: number; mtimeMs: number }[] = []
    for (const name of (await readdir(this.#folder).catch(gone)) ?? []) {
      const path = join(this.#folder, name)
      const found = await stat(path).catch(gone)
      if (found?.isFile()) files.push({ path, size: found.size, mtimeMs: found.mtimeMs })
    }
    let bytes = more + files.reduce((sum, { size }) => sum + size, 0)
    let count = 1 + files.length
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= this.#most.bytes && count <= this.#most.files) return
      await unlink(path).catch(gone)
      bytes -= size
      count--
    }
  }
}
