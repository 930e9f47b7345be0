import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** File name inside the data directory. */
export const TOKEN_FILE = 'http-token'
const BYTES = 24

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function write(path: string, token: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeSync(file, `${token}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * Returns the generated token of a data directory. Creates it if there is none. Only the owner of the file can read it.
 * Works synchronously, because a reload of the settings is synchronous.
 */
export function readOrCreateToken(data: string): { token: string; path: string; created: boolean } {
  const path = join(data, TOKEN_FILE)
  const kept = read(path)
  if (kept) {
    // Only if necessary, because the file is watched and each change of it triggers a reload.
    if ((statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600)
    return { token: kept, path, created: false }
  }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const token = randomBytes(BYTES).toString('base64url')
  write(path, token)
  return { token, path, created: true }
}
