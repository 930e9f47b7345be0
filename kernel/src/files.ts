// Writing a file so that at every moment the old or the new one is there, whole. Shared by all plugins that keep files.
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes beside the file, makes it durable, and puts it in place. The mode of an existing file is kept unless `exact` is set;
 * a file that was not there gets `mode`.
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
 * Makes a folder and those above it where they are missing; gives the first that was made. Unlike `mkdir` with `recursive`,
 * which tries for ever, it fails where a folder is there and takes no other, as below `/proc`.
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

/** Keeps bytes in a folder under their SHA-256, which is given; what is there already is not written again. */
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
