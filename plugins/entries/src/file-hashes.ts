import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { LruMap } from '@mynah/kernel/util'

const MAX_FILES = 512
const HASH_LENGTH = 16

interface Known {
  readonly mtimeMs: number
  readonly size: number
  readonly hash: string
}

/** Content hashes of files, computed again only when the size or time of a file changed. */
export class FileHashes {
  readonly #known = new LruMap<string, Known>(MAX_FILES)

  /** Returns the hash of a file. Rejects if the file cannot be read. */
  async of(path: string): Promise<string> {
    const file = await open(path, 'r')
    try {
      const { mtimeMs, size } = await file.stat()
      const known = this.#known.peek(path)
      if (known && known.mtimeMs === mtimeMs && known.size === size) return known.hash
      const hash = hashOf(await file.readFile())
      this.#known.set(path, { mtimeMs, size, hash })
      return hash
    } finally {
      await file.close()
    }
  }
}

/** Returns the hash of bytes, as used in URLs and entity tags. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
}
