// Atomic writes: at every moment either the whole old file or the whole new one exists.
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export { readTextFile } from './config/encoding.js'

/**
 * Writes a temporary file in the same folder, syncs it to disk and renames it. Keeps the mode of an existing file
 * unless `exact` is set. A new file gets `mode`.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, exact = false }: { readonly mode?: number; readonly exact?: boolean } = {},
): Promise<void> {
  const kept = exact
    ? mode
    : await stat(path).then(
        (found) => found.mode & 0o777,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return mode
          throw error
        },
      )
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx', kept)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch((failed: NodeJS.ErrnoException) => {
      if (failed.code !== 'ENOENT') throw failed
    })
    throw error
  }
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Creates a folder and its missing parents. Unlike `mkdir` with `recursive`, which tries for ever, it fails below a
 * folder that accepts no new ones, such as `/proc`.
 *
 * @returns the first folder that was created
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const make = (): Promise<string | undefined> =>
    mkdir(path, mode).then(
      () => path,
      async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
        throw error
      },
    )
  try {
    return await make()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    const above = await makeFolder(dirname(path), mode)
    const made = await make()
    return above ?? made
  }
}

/** Stores bytes in a folder under their SHA-256, unless they are stored already. Returns the hash. */
export async function keepByHash(folder: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = join(folder, hash)
  const there = await access(path).then(
    () => true,
    () => false,
  )
  if (there) return hash
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFileAtomically(path, bytes, { mode: 0o600 })
  return hash
}
