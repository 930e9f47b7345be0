// The list in a backup of what it holds, which a restore believes only after it has looked.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'

export const CATALOGUE = 'backup.json'
const FORMAT = 1

export interface BackupFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}
export interface Catalogue {
  readonly format: number
  /** ISO 8601. */
  readonly made: string
  /** Version that made it. */
  readonly mynah: string
  /** Name of the configuration file. */
  readonly configuration: string
  readonly files: readonly BackupFile[]
  /** What the host has elsewhere, in sentences. */
  readonly elsewhere: readonly string[]
}

export const catalogue = (content: Omit<Catalogue, 'format'>): Catalogue => ({ format: FORMAT, ...content })

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const refuse = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: EXIT.failure, remedy: 'Name the folder that "mynah backup" has written', cause })

/** Neither absolute nor leading out: what a backup names is put below the host's folder and nowhere else. */
const isInside = (path: unknown): path is string =>
  typeof path === 'string' &&
  path !== '' &&
  !path.startsWith('/') &&
  !/[\\\0:]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * Reads and checks the list of a backup, and every file in it.
 *
 * @throws UserError where it is none, or holds something else than it says.
 */
export async function readCatalogue(folder: string, shown: string): Promise<Catalogue> {
  let read: Partial<Catalogue> | null
  try {
    read = JSON.parse(await readFile(join(folder, CATALOGUE), 'utf8')) as Partial<Catalogue> | null
  } catch (error) {
    throw refuse(`${shown} is no backup (${(error as NodeJS.ErrnoException).code ?? 'its list cannot be read'})`, error)
  }
  if (read?.format !== FORMAT || !Array.isArray(read.files) || !isInside(read.configuration))
    throw refuse(`${shown} is no backup of a kind that this version knows`)
  for (const { path, sha256 } of read.files) {
    if (!isInside(path))
      throw refuse(`${shown} names a file outside of the host: ${JSON.stringify(path).slice(0, 200)}`)
    const digest = await digestOf(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      throw refuse(`${shown} is not whole: ${path} cannot be read (${error.code ?? 'unknown reason'})`, error)
    })
    if (digest !== sha256) throw refuse(`${shown} is damaged: ${path} is not what was copied`)
  }
  return { elsewhere: [], made: '', mynah: '', ...read } as Catalogue
}
