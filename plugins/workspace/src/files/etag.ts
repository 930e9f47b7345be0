import { createHash } from 'node:crypto'

/** Returns a text that changes with the content of a file. */
export const etagOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)
