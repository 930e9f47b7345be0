// The token that a host makes for itself at its first start and keeps in its data directory.
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

/** The generated token of a data directory, made where there is none; readable by its owner alone. */
export function generatedToken(data: string): { token: string; path: string; made: boolean } {
  const path = join(data, TOKEN_FILE)
  const kept = read(path)
  if (kept) {
    // Only where it has to be: each change of the file is noticed by whoever watches it.
    if ((statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600)
    return { token: kept, path, made: false }
  }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const token = randomBytes(BYTES).toString('base64url')
  write(path, token)
  return { token, path, made: true }
}
