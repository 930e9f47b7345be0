import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
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
/** The list of files in a backup. A restore verifies it before use. */
export interface Catalogue {
  readonly format: number
  /** Time of the backup, ISO 8601. */
  readonly made: string
  /** Version of Mynah that wrote it. */
  readonly mynah: string
  /** Name of the configuration file. */
  readonly configuration: string
  readonly files: readonly BackupFile[]
  /** Sentences about data of the host that is not included. */
  readonly elsewhere: readonly string[]
}

export const catalogue = (content: Omit<Catalogue, 'format'>): Catalogue => ({ format: FORMAT, ...content })

/** Returns the SHA-256 of a file in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const refuse = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: EXIT.failure, remedy: 'Name a folder that "mynah backup" has written', cause })

/**
 * Returns whether a path is relative and inside, because a restore must not write outside of the folder of the host.
 */
const isInside = (path: unknown): path is string =>
  typeof path === 'string' &&
  path !== '' &&
  !path.startsWith('/') &&
  !path.includes('\0') &&
  // Part of a name elsewhere.
  (sep === '/' || !/[\\:]/.test(path)) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * Reads the list of a backup and verifies every file.
 *
 * @throws UserError if it is not a backup or is damaged
 */
export async function readCatalogue(folder: string, shown: string): Promise<Catalogue> {
  let read: Partial<Catalogue> | null
  try {
    read = JSON.parse(await readFile(join(folder, CATALOGUE), 'utf8')) as Partial<Catalogue> | null
  } catch (error) {
    throw refuse(
      `${shown} is not a backup (${(error as NodeJS.ErrnoException).code ?? 'its list is unreadable'})`,
      error,
    )
  }
  if (read?.format !== FORMAT || !Array.isArray(read.files) || !isInside(read.configuration))
    throw refuse(`${shown} is not a backup that this version can read`)
  for (const { path, sha256 } of read.files) {
    if (!isInside(path))
      throw refuse(`${shown} names a file outside of the host: ${JSON.stringify(path).slice(0, 200)}`)
    const digest = await digestOf(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      throw refuse(`${shown} is incomplete: ${path} cannot be read (${error.code ?? 'unknown reason'})`, error)
    })
    if (digest !== sha256) throw refuse(`${shown} is damaged: ${path} has changed since the backup`)
  }
  return { elsewhere: [], made: '', mynah: '', ...read } as Catalogue
}
