// Content hashes of files, computed again only when size or time of a file changed.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const MAX_FILES = 512
const HASH_LENGTH = 16

interface Known {
  readonly mtimeMs: number
  readonly size: number
  readonly hash: string
}

export class FileHashes {
  readonly #known = new Map<string, Known>()

  /** The hash of a regular file's bytes. Throws as reading it does. */
  async of(path: string): Promise<string> {
    const file = await open(path, 'r')
    try {
      const { mtimeMs, size } = await file.stat()
      const known = this.#known.get(path)
      if (known && known.mtimeMs === mtimeMs && known.size === size) return known.hash
      const hash = hashOf(await file.readFile())
      this.#keep(path, { mtimeMs, size, hash })
      return hash
    } finally {
      await file.close()
    }
  }

  #keep(path: string, known: Known): void {
    this.#known.delete(path)
    this.#known.set(path, known)
    if (this.#known.size <= MAX_FILES) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

/** The hash of some bytes, as addresses and entity tags carry it. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
}
