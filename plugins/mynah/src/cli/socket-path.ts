import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join, relative } from 'node:path'

/** The operating system truncates longer paths. */
const MAX_PATH = 100

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** Returns the path of a socket of a data directory. It is in the temporary folder if the normal path is too long. */
export function socketPath(data: string, name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\mynah-${name}-${digest(data)}`
  const own = join(data, name)
  const near = relative(process.cwd(), own)
  const shortest = near.length < own.length ? near : own
  return Buffer.byteLength(shortest) <= MAX_PATH
    ? shortest
    : join(tmpdir(), `mynah-${userInfo().uid}-${digest(data)}-${name}`)
}
