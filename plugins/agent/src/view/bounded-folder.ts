import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderLimits {
  readonly bytes: number
  readonly files: number
}

/** The folder is scanned again when a sixteenth of its limits has been written, not for every file. */
const SCAN_SHARE = 16

/** Ignores that a file is missing: another process may have removed it. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

/** Keeps a folder that strangers fill within its limits, by removing the oldest files. */
export class BoundedFolder {
  readonly #folder: string
  readonly #limits: FolderLimits
  /** Written since the last scan. */
  #bytes = Infinity
  #files = Infinity

  constructor(folder: string, limits: FolderLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Makes room for a file of that many bytes. Call it before the file is written. */
  async reserve(bytes: number): Promise<void> {
    this.#bytes += bytes
    this.#files++
    if (this.#bytes < this.#limits.bytes / SCAN_SHARE && this.#files < this.#limits.files / SCAN_SHARE) return
    this.#bytes = 0
    this.#files = 0
    await this.#removeOldest(bytes)
  }

  async #removeOldest(more: number): Promise<void> {
    const files: { path: string; size: number; mtimeMs: number }[] = []
    for (const name of (await readdir(this.#folder).catch(ignoreMissing)) ?? []) {
      const path = join(this.#folder, name)
      const found = await stat(path).catch(ignoreMissing)
      if (found?.isFile()) files.push({ path, size: found.size, mtimeMs: found.mtimeMs })
    }
    let bytes = more + files.reduce((sum, { size }) => sum + size, 0)
    let count = 1 + files.length
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= this.#limits.bytes && count <= this.#limits.files) return
      await unlink(path).catch(ignoreMissing)
      bytes -= size
      count--
    }
  }
}
