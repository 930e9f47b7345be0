import { createHash } from 'node:crypto'

const LONGEST = 64
const MARK = 8

/** Returns the name by which a model calls `tool` of `server`. Different tools always have different names. */
export function offeredName(server: string, tool: string): string {
  const plain = `${server}__${tool}`
  // Only the hash distinguishes a server that ends in "_" or contains "__" from another with the same letters.
  if (plain.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(plain) && !/__|_$/.test(server)) return plain
  const mark = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, MARK)
  const safe = plain.slice(0, LONGEST).replace(/[^A-Za-z0-9_-]/g, '_')
  return `${safe.slice(0, LONGEST - MARK - 1)}_${mark}`
}
